// The operator's page: shows what /v1/admin/ has, cancels tasks, creates and revokes keys.
//
// The key is in the storage of this tab, and each request carries it in `Authorization`, which no other page can make a browser send.
// Everything is written as text, never as markup: names and addresses come from users.

const MEDIA_TYPE = "application/vnd.api+json";
const STORED_KEY = "filepress-admin-key";
/** Milliseconds between updates of the queue and the storage while the page is in sight. */
const INTERVAL = 10_000;

const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** The codes of errors that say that the key is not good for this page. */
const BAD_KEY = ["unauthorized", "key_expired", "missing_scope"];
/** Who asked last for each list: an answer that comes late is not shown. */
const asked = {};

/** An answer that is no success; `isAboutKey` if another key is needed. */
class Refusal extends Error {
  constructor(status, { code, detail, title } = {}) {
    super(detail ?? title ?? `The server answered ${status}.`);
    this.isAboutKey = BAD_KEY.includes(code);
  }
}

async function call(method, path, attributes, id) {
  const type = path.split(/[/?]/)[3];
  const response = await fetch(path, {
    method,
    headers: {
      Accept: MEDIA_TYPE,
      Authorization: `Bearer ${sessionStorage.getItem(STORED_KEY)}`,
      ...(attributes && { "Content-Type": MEDIA_TYPE }),
    },
    body: attributes && JSON.stringify({ data: { type, id, attributes } }),
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
  });
  const text = await response.text();
  const document = text ? JSON.parse(text) : {};
  if (!response.ok) throw new Refusal(response.status, document.errors?.[0]);
  return document;
}

/** Runs what a person asks for, and shows what goes wrong. */
function run(work) {
  say("");
  return attempt(work);
}

async function attempt(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof TypeError ? "The server cannot be reached." : error.message);
    if (error.isAboutKey) logOut();
  }
}

function say(text) {
  $("message").textContent = text;
  $("message").hidden = !text;
}

function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text ?? "" }, properties);
}

function time(text) {
  if (!text) return element("span", "never");
  return element("time", text.slice(0, 16).replace("T", " "), { dateTime: text, title: text });
}

function row(cells) {
  const line = document.createElement("tr");
  for (const cell of cells) {
    const field = document.createElement("td");
    field.append(cell ?? "");
    line.append(field);
  }
  return line;
}

function action(label, about, work) {
  const button = element("button", label, { type: "button", className: "danger" });
  button.setAttribute("aria-label", `${label} ${about}`);
  button.addEventListener("click", async () => (await confirmed(`${label} ${about}?`, label)) && run(work));
  return button;
}

function confirmed(question, label) {
  const dialog = $("confirm");
  $("question").textContent = question;
  $("yes").textContent = label;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

async function showStatus() {
  const { version, time: now, queue, storage, users, callbacks_pending } = (await call("GET", "/v1/admin/status")).data.attributes;
  $("about").textContent = `version ${version}, ${now}`;
  const lanes = queue.map(({ lane, pending, processing, oldest_age_seconds: age }) => [
    lane,
    `${number.format(pending)} waiting, ${number.format(processing)} running${age === null ? "" : `, the oldest for ${number.format(age)} s`}`,
  ]);
  describe("queue", [...lanes, ["webhooks to call", number.format(callbacks_pending)]]);
  describe("storage", [
    ["files", `${number.format(storage.files)}, ${size(storage.bytes)}, in the ${storage.contents}`],
    ["awaited uploads", number.format(storage.awaited_files)],
    ["free disk", size(storage.free_disk_bytes)],
    ["users", number.format(users)],
  ]);
}

function size(bytes) {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return `${number.format(bytes / 1000 ** step)} ${UNITS[step]}`;
}

function describe(id, pairs) {
  $(id).replaceChildren(...pairs.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}

/** Shows a page of a list below what is there, or instead of it. */
async function showPage(name, path, toRow) {
  const turn = (asked[name] = Symbol(path));
  const { data, links } = await call("GET", path);
  if (asked[name] !== turn) return;
  const isFirst = !path.includes("page%5Bafter%5D");
  const rows = data.map(toRow);
  if (isFirst) $(name).replaceChildren(...rows);
  else $(name).append(...rows);
  const more = $(`more-${name}`);
  more.hidden = !links.next;
  more.onclick = () => run(() => showPage(name, links.next, toRow));
}

const showTasks = () => {
  const status = $("status").value;
  return showPage("tasks", `/v1/admin/tasks?page%5Bsize%5D=20${status && `&filter%5Bstatus%5D=${status}`}`, taskRow);
};

const showKeys = () => showPage("keys", "/v1/admin/keys?page%5Bsize%5D=20", keyRow);

function taskRow({ id, attributes: { email, status, format, attempt, progress, error, created_at } }) {
  const isOver = status === "COMPLETED" || status === "FAILED";
  const running = progress === null ? "" : `${Math.round(progress * 100)} %`;
  const details = [error ? `${error.code}: ${error.detail}` : running, attempt > 1 ? `attempt ${attempt}` : ""];
  const cancel = async () => {
    await call("PATCH", `/v1/admin/tasks/${id}`, { status: "FAILED" }, id);
    await Promise.all([showTasks(), showStatus()]);
  };
  return row([
    time(created_at),
    email,
    `${format.input} → ${format.output}`,
    status,
    details.filter(Boolean).join(", "),
    element("code", id),
    isOver ? "" : action("Cancel", `task ${id}`, cancel),
  ]);
}

function keyRow({ id, attributes: { email, name, prefix, scopes, created_at, used_at, expires_at, revoked_at } }) {
  const hasEnded = expires_at && Date.parse(expires_at) <= Date.now();
  const state = revoked_at ? "revoked" : hasEnded ? "expired" : expires_at ? `until ${expires_at.slice(0, 10)}` : "valid";
  const revoke = async () => {
    await call("DELETE", `/v1/admin/keys/${id}`);
    await showKeys();
  };
  return row([
    element("code", `${prefix}…`),
    email,
    name,
    scopes.replaceAll(",", ", "),
    time(created_at),
    time(used_at),
    state,
    revoked_at ? "" : action("Revoke", `key ${prefix}… of ${email}`, revoke),
  ]);
}

async function createKey(form) {
  const given = new FormData(form);
  const days = Number(given.get("days"));
  const scopes = given.getAll("scope").join(",");
  const { data } = await call("POST", "/v1/admin/keys", {
    email: given.get("email"),
    name: given.get("name"),
    ...(scopes && { scopes }),
    ...(days && { expires_at: new Date(Date.now() + days * 86_400_000).toISOString() }),
  });
  form.reset();
  $("secret").textContent = data.meta.key;
  $("created").hidden = false;
  await showKeys();
}

async function showAll() {
  const turn = (asked.all = Symbol("all"));
  await showStatus();
  if (asked.all !== turn) return;
  $("login").hidden = true;
  $("session").hidden = $("overview").hidden = false;
  await Promise.all([showTasks(), showKeys()]);
}

function logOut() {
  sessionStorage.removeItem(STORED_KEY);
  for (const name in asked) delete asked[name];
  for (const id of ["queue", "storage", "tasks", "keys", "secret", "about"]) $(id).replaceChildren();
  $("session").hidden = $("overview").hidden = $("created").hidden = true;
  $("login").hidden = false;
  $("key").focus();
}

const submit = (id, work) => $(id).addEventListener("submit", (event) => (event.preventDefault(), run(() => work(event.target))));

submit("login", () => {
  sessionStorage.setItem(STORED_KEY, $("key").value.trim());
  $("key").value = "";
  return showAll();
});
submit("new-key", createKey);
$("refresh").addEventListener("click", () => run(showAll));
$("log-out").addEventListener("click", () => (logOut(), say("")));
$("status").addEventListener("change", () => run(showTasks));
setInterval(() => !document.hidden && sessionStorage.getItem(STORED_KEY) && attempt($("overview").hidden ? showAll : showStatus), INTERVAL);

if (sessionStorage.getItem(STORED_KEY)) run(showAll);
else logOut();
