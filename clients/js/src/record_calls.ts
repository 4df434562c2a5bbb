// The calls of one collection, without sending them: a client sends them at once, a batch together.

import { askFor, type Ask } from "./exchange.js";
import type { Query } from "./query.js";

export type Id = number | string;

/** The calls that change records of one collection. T: its records. W: what is written of one. */
export class RecordCalls<T, W> {
  /** path: of the collection, in neutral names. */
  constructor(readonly path: string) {}

  create(values: W): Ask<T> {
    return askFor("POST", this.path, { body: values });
  }

  update(id: Id, values: W): Ask<T> {
    return askFor("PUT", this.at(id), { body: values });
  }

  trash(id: Id): Ask<T> {
    return askFor("DELETE", this.at(id));
  }

  delete(id: Id, query: Query = {}): Ask<T> {
    const ask = askFor<T | { deleted: boolean; previous: T }>("DELETE", this.at(id), {
      query: { force: true, ...query },
    });
    return {
      call: ask.call,
      read: (reply) => {
        const gone = ask.read(reply);
        // Content wraps what was removed, the shop answers it alone.
        return typeof gone === "object" && gone !== null && "previous" in gone && "deleted" in gone
          ? gone.previous
          : gone;
      },
    };
  }

  /** Return the path of a record, or of something below it. */
  at(id: Id, ...below: string[]): string {
    return [this.path, id, ...below].join("/");
  }
}
