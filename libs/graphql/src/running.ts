/** What needs the libraries of GraphQL; imported when somebody asks. */
export { Engine } from './engine';
export { HttpAnswers } from './http/http-answers';
export { SocketServer } from './live/socket-server';
