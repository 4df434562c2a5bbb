// The one class of what goes wrong, and how it is read from an answer.

/** What the interface says of a refused parameter. */
export interface ParameterDetail {
  readonly code: string;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * `refused`: the interface answered with an error. `no_answer`: not reached, or not in time; whether a write was carried
 * out is unknown. `not_understood`: what answered does not speak the interface. `not_run`: a part of a batch that was not
 * run, because of another one. `batch_failed`: parts of a batch were refused; `parts` has each.
 */
export type ErrorKind = "refused" | "no_answer" | "not_understood" | "not_run" | "batch_failed";

/** Something that did not work. */
export class VetrinaError extends Error {
  override readonly name = "VetrinaError";
  readonly kind: ErrorKind;
  /** HTTP status, 0 where nothing answered. */
  readonly status: number;
  /** Code of the refusal, in the names of the dialect; the kind, where the interface did not answer. */
  readonly code: string;
  /** Refused parameters, each with the reason. */
  readonly params: Readonly<Record<string, string>>;
  /** Refused parameters, each with its own code, where the interface says so. */
  readonly details: Readonly<Record<string, ParameterDetail>>;
  /** Every further member of the error. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds after which the request may be sent again, where the site says so. */
  readonly retryAfter: number | undefined;
  /** What became of each part of a batch. */
  readonly parts: readonly PromiseSettledResult<unknown>[];

  constructor(
    kind: ErrorKind,
    message: string,
    more: {
      status?: number;
      code?: string;
      data?: Readonly<Record<string, unknown>>;
      retryAfter?: number | undefined;
      parts?: readonly PromiseSettledResult<unknown>[];
      cause?: unknown;
    } = {},
  ) {
    super(message, "cause" in more ? { cause: more.cause } : {});
    this.kind = kind;
    this.status = more.status ?? 0;
    this.code = more.code ?? kind;
    this.data = more.data ?? {};
    this.params = readParams(this.data["params"]);
    this.details = asObject(this.data["details"]) as Record<string, ParameterDetail>;
    this.retryAfter = more.retryAfter;
    this.parts = more.parts ?? [];
  }

  /** Whether the answer has this status, or this code. */
  is(statusOrCode: number | string): boolean {
    return this.status === statusOrCode || this.code === statusOrCode;
  }
}

/** Return the error of a refusal. body: its JSON, whatever that is. retryAfter: in seconds. */
export function readRefusal(status: number, body: unknown, retryAfter?: number): VetrinaError {
  const members = asObject(body);
  const message = typeof members["message"] === "string" ? members["message"] : "";
  return new VetrinaError("refused", message || `The site answered ${status}.`, {
    status,
    code: typeof members["code"] === "string" ? members["code"] : "",
    data: asObject(members["data"]),
    retryAfter,
  });
}

/** Of missing parameters an answer has the names only. */
function readParams(params: unknown): Record<string, string> {
  if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [String(name), "missing"]));
  return Object.fromEntries(Object.entries(asObject(params)).map(([name, reason]) => [name, String(reason)]));
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
