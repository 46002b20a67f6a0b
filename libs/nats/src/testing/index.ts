export { tcpProxy, type TcpProxy } from './tcp-proxy';
