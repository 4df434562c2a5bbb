// A stand-in of Vetrina for a test suite: started as a process, put back to its start between tests.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";

export async function startStandIn({ profile = "first", users, command = ["vetrina"] } = {}) {
  const key = randomUUID();
  const [program, ...before] = command;
  const words = [...before, "serve", "--ephemeral", "--profile", profile, "--port", "0", "--control"];
  words.push("--parent", String(process.pid)); // it stops with this process, however that ends
  if (users) words.push("--users", users);
  const child = spawn(program, words, {
    env: { ...process.env, VETRINA_CONTROL: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const root = await firstAddress(child);
  const url = new URL(root).origin;

  async function control(method, name, body) {
    const answer = await fetch(`${url}/_stand-in/${name}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.message);
    return told;
  }

  return {
    url, // scheme, host and port
    root, // address of the interface
    reset: () => control("POST", "reset"),
    keep: () => control("PUT", "start"), // what is there now is the start from then on
    workOff: () => control("POST", "jobs"), // carry out the background jobs that are due
    setClock: (now, frozen = false) => control("PUT", "clock", { now: now.toISOString(), frozen }),
    travel: (seconds) => control("PUT", "clock", { forward: seconds }),
    stop: () => (child.kill("SIGTERM"), ended),
  };
}

async function firstAddress(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const found = line.match(/http:\/\/\S+/);
    if (found) return found[0].replace(/\/$/, "");
  }
  throw new Error("the stand-in did not start; what it said is above");
}
