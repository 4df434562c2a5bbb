// Server-sent events read from an answer of `fetch`, which sends credentials where `EventSource` cannot.
// Rules: the HTML standard, "Server-sent events".

/** One event, or what stands where none is: its members are empty texts where they were not sent. */
export interface ServerEvent {
  readonly id: string;
  readonly data: string;
  readonly retry: string;
}

/** Yield the events of a body until it ends. Whoever stops earlier ends the request. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      yield* blocks.map(parseEvent);
    }
  } finally {
    await reader.cancel().catch(() => undefined); // it may have failed already, which was thrown above
  }
}

function parseEvent(block: string): ServerEvent {
  const found = { id: "", data: "", retry: "" };
  for (const line of block.split(/\r?\n/)) {
    const [, name, text = ""] = /^(id|data|retry): ?(.*)$/.exec(line) ?? [];
    if (name === "data") found.data += found.data ? `\n${text}` : text;
    else if (name === "id" || name === "retry") found[name] = text;
  }
  return found;
}
