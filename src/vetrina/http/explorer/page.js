"use strict";
// The explorer: reads the site's OpenAPI document and shows it; what is sent goes to this site alone.
const byId = (id) => document.getElementById(id);
let read = null;

// Text always lands as text; nothing here writes markup.
function make(tag, attributes, ...inside) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") found.addEventListener(value[0], value[1]);
    else if (value !== undefined && value !== false) found.setAttribute(name, value === true ? "" : value);
  }
  found.append(...inside.filter((one) => one !== null && one !== undefined));
  return found;
}

function resolved(value) {
  if (!value || !value.$ref) return value || {};
  return value.$ref.slice(2).split("/").reduce((found, name) => found[name], read);
}

function kindOf(schema) {
  const plain = resolved(schema);
  if (plain.enum) return plain.enum.map(String).join(", ");
  const kinds = [].concat(plain.type || "anything").join(" or ");
  if (plain.items && plain.items !== true) return `list of ${kindOf(plain.items)}`;
  return plain.format ? `${kinds} (${plain.format})` : kinds;
}

function boundsOf(schema) {
  const words = { minimum: "at least", maximum: "at most", minLength: "letters, at least", maxLength: "letters, at most" };
  const said = Object.entries(words).filter(([name]) => name in schema).map(([name, word]) => `${word} ${schema[name]}`);
  if (schema.default !== undefined && schema.default !== "") said.push(`else ${JSON.stringify(schema.default)}`);
  return said.join("; ");
}

function table(caption, heads, rows) {
  if (!rows.length) return null;
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
  return make("div", { class: "wide" }, make("h3", {}, caption), make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

function argumentRows(list, prefix) {
  return list.map((one) => {
    const schema = resolved(one.schema);
    const label = `${one.name}${one.required ? " (required)" : ""}`;
    const id = `${prefix}-${one.in}-${one.name}`;
    const field = schema.enum
      ? make("select", { id }, make("option", { value: "" }, ""), ...schema.enum.map((value) => make("option", {}, String(value))))
      : make("input", { id, autocomplete: "off", spellcheck: "false" });
    return [make("label", { for: id }, make("code", {}, label)), kindOf(schema), one.description || schema.description || "", boundsOf(schema), field];
  });
}

function memberRows(schema) {
  const required = schema.required || [];
  return Object.entries(schema.properties || {}).map(([name, one]) => [
    make("code", {}, name + (required.includes(name) ? " (required)" : "")), kindOf(one), resolved(one).description || "", boundsOf(resolved(one)),
  ]);
}

function meaningOf(code) {
  const same = read["x-error-codes"].filter((one) => one.code === code.code);
  return (same.find((one) => String(one.status) === String(code.status)) || same[0] || { meaning: "" }).meaning;
}

function details(path, method, operation) {
  const id = operation.operationId;
  const parameters = (operation.parameters || []).map(resolved);
  const content = (operation.requestBody || {}).content || {};
  const body = content["application/json"];
  const good = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const answer = good && ((good[1].content || {})["application/json"] || {}).schema;
  const shown = answer && resolved(answer.items || (answer.anyOf || [answer])[0]);
  const text = body ? make("textarea", { id: `${id}-body`, spellcheck: "false" }, "{}") : null;
  // Only the line with the status is told by screen readers, not the whole answer.
  const result = make("div", {}, make("p", { role: "status" }), make("div", {}));
  const send = () => ask(path, method, parameters, id, text && text.value, result);
  const codes = [...(operation["x-codes"] || []), ...(read["x-codes-everywhere"] || [])].map((one) => [make("code", {}, String(one.code)), one.status.join(", "), meaningOf(one)]);
  const form = make("form", { on: ["submit", (event) => { event.preventDefault(); send(); }] },
    table("Arguments", ["Name", "Kind", "What it does", "Bounds", "Value to send"], argumentRows(parameters, id)),
    body ? table("Members of the body", ["Name", "Kind", "What it does", "Bounds"], memberRows(resolved(body.schema))) : null,
    text ? make("p", {}, make("label", { for: `${id}-body` }, "Body to send, as JSON")) : null,
    text,
    make("p", {}, make("button", { type: "submit" }, `Send ${method.toUpperCase()}`)));
  return make("div", {},
    operation["x-batch"] ? make("p", { class: "quiet" }, "A batch may carry it.") : null,
    form, result,
    table("Codes of refusals", ["Code", "Status", "Meaning"], codes),
    shown && shown.properties ? table("Members of the answer", ["Name", "Kind", "What it is", ""], memberRows(shown)) : null,
    relatedTo(path, method));
}

// The other methods of a path, the paths above it and those right below it.
function relatedTo(path, method) {
  const inside = (longer, shorter) => longer.startsWith(`${shorter}/`);
  const depth = (one) => one.split("/").length;
  const found = [];
  for (const [other, item] of Object.entries(read.paths)) {
    const near = other === path || (inside(path, other) && depth(other) > 3) || (inside(other, path) && depth(other) === depth(path) + 1);
    for (const [verb, operation] of near ? Object.entries(item) : []) {
      if (other !== path || verb !== method) found.push(make("li", {}, make("a", { href: `#${operation.operationId}` }, `${verb.toUpperCase()} ${other}`)));
    }
  }
  return found.length ? make("nav", { "aria-label": "Related routes" }, make("h3", {}, "Related routes"), make("ul", {}, ...found)) : null;
}

// The route that the address names after its #, opened and brought into view, whatever the search leaves out.
function openNamed() {
  const id = decodeURIComponent(location.hash.slice(1));
  const known = id && Object.values(read.paths).some((item) => Object.values(item).some((operation) => operation.operationId === id));
  if (!known) return;
  if (!byId(id)) {
    byId("filter").value = "";
    show();
  }
  byId(id).open = true;
  byId(id).querySelector("summary").focus();
  byId(id).scrollIntoView();
}

async function ask(path, method, parameters, id, text, result) {
  const values = new URLSearchParams();
  let address = path;
  for (const one of parameters) {
    const value = byId(`${id}-${one.in}-${one.name}`).value;
    if (one.in === "path") address = address.replace(`{${one.name}}`, encodeURIComponent(value).replaceAll("%2F", "/"));
    else if (value !== "") values.append(one.name, value);
  }
  const headers = { Accept: "application/json" };
  const login = byId("login").value;
  if (login) {
    const bytes = new TextEncoder().encode(`${login}:${byId("password").value}`);
    headers.Authorization = "Basic " + btoa(String.fromCharCode(...bytes));
  }
  const options = { method: method.toUpperCase(), headers, credentials: "omit", cache: "no-store" };
  if (text !== null) {
    options.body = text;
    headers["Content-Type"] = "application/json";
  }
  const query = values.toString();
  const target = byId("server").value + address + (query ? `?${query}` : "");
  const [status, shownBelow] = result.children;
  status.className = "";
  status.replaceChildren("Sent.");
  shownBelow.replaceChildren();
  try {
    const answer = await fetch(target, options);
    const said = await answer.text();
    let shown = said;
    try { shown = JSON.stringify(JSON.parse(said), null, 2); } catch { /* not JSON: shown as it is */ }
    const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    status.className = answer.ok ? "" : "error";
    status.replaceChildren(`${answer.status} ${answer.statusText} `, make("code", {}, `${options.method} ${target}`));
    shownBelow.replaceChildren(
      make("details", {}, make("summary", {}, "Headers of the answer"), make("pre", { tabindex: "0" }, lines)),
      make("pre", { tabindex: "0", "aria-label": "Answer" }, shown.slice(0, 200000)));
  } catch (error) {
    status.className = "error";
    status.replaceChildren(`Nothing came back: ${error.message}`);
  }
}

function show() {
  const wanted = byId("filter").value.trim().toLowerCase();
  const spaces = new Map();
  for (const [path, item] of Object.entries(read.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (wanted && !`${method} ${path} ${operation.summary}`.toLowerCase().includes(wanted)) continue;
      const space = operation.tags[0];
      if (!spaces.has(space)) spaces.set(space, []);
      spaces.get(space).push([path, method, operation]);
    }
  }
  const parts = [];
  let count = 0;
  for (const [space, operations] of spaces) {
    const listed = operations.map(([path, method, operation]) => {
      count += 1;
      const entry = make("details", { id: operation.operationId }, make("summary", {}, make("span", { class: "method" }, method.toUpperCase()), make("code", {}, path), ` ${operation.summary}`));
      entry.addEventListener("toggle", () => { if (entry.open && entry.children.length < 2) entry.append(details(path, method, operation)); });
      entry.firstChild.addEventListener("click", () => history.replaceState(null, "", `#${operation.operationId}`));
      return entry;
    });
    parts.push(make("section", {}, make("h2", {}, space), ...listed));
  }
  const said = count ? `${count} routes` : "No route has these words.";
  byId("routes").replaceChildren(make("p", { role: "status", class: "quiet" }, said), ...parts);
}

async function load() {
  const main = byId("routes");
  main.setAttribute("aria-busy", "true");
  const address = `/openapi.json?dialect=${encodeURIComponent(byId("dialect").value)}`;
  try {
    const answer = await fetch(address, { credentials: "omit" });
    read = await answer.json();
    byId("document").href = address;
    byId("title").textContent = `The interface of ${read.info.title}`;
    document.title = byId("title").textContent;
    byId("server").replaceChildren(...read.servers.map((one) => make("option", { value: one.url }, `${one.url} (${one.description})`)));
    show();
    openNamed();
  } catch (error) {
    main.replaceChildren(make("p", { class: "error", role: "alert" }, `The document could not be read: ${error.message}`));
  }
  main.setAttribute("aria-busy", "false");
}

byId("choices").addEventListener("submit", (event) => event.preventDefault());
byId("filter").addEventListener("input", () => { if (read) show(); });
byId("dialect").addEventListener("change", load);
addEventListener("hashchange", () => { if (read) openNamed(); });
load();
