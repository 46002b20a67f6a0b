/** A request to change something. The type parameter is what its one handler answers. */
export abstract class Command<Result> {
  declare protected readonly answers?: Result;
}

/** A question. The type parameter is what its one handler answers. */
export abstract class Query<Result> {
  declare protected readonly answers?: Result;
}
