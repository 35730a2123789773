// The server: its address and key, stored for this tab only, and whether the visitor agreed to send files to it. Both may come from the
// fragment of the page's address (`#service=…&key=…`), and are removed from it; settings there belong to settings-memory.js.
import { addressError, hostOf, keyError, trimAddress } from "./server-address.js";
import { filepress } from "./package.js";

const STORE = "filepress.service";

/** Events: "change" when the server changes, "refused" when one in the fragment is invalid. */
class Service extends EventTarget {
  /** Address, or "" if there is none. */
  address = "";
  /** A different object for each address and key. */
  identity = {};
  /** The error of the server in the last fragment; "" if it was valid. */
  error = "";
  /** Bytes of files whose upload began since the page was opened, whether or not it was completed. */
  uploaded = 0;
  #key = "";
  #client;
  #allowed = false;

  constructor() {
    super();
    const { address = "", key = "", allowed = false } = read();
    Object.assign(this, { address });
    this.#key = key;
    this.#allowed = allowed;
    this.#fromFragment();
    addEventListener("hashchange", () => this.#fromFragment());
  }

  /**
   * Reads `#service=ADDRESS&key=KEY`, as `make demo` passes them, and removes it from the address bar, so that no bookmark contains
   * it. Invalid values change nothing.
   */
  #fromFragment() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!given.has("service") && !given.has("key")) return;
    const rest = new URLSearchParams([...given].filter(([name]) => name !== "service" && name !== "key"));
    history.replaceState(history.state, "", `${location.pathname}${location.search}${rest.size > 0 ? `#${rest}` : ""}`);
    if (!given.has("service")) return;
    const [address, key] = ["service", "key"].map((name) => (given.get(name) ?? "").trim());
    this.error = address && (addressError(address) || keyError(key));
    if (this.error) this.dispatchEvent(new Event("refused"));
    else this.#take(trimAddress(address), key);
  }

  /** The host, for display. */
  get host() {
    return hostOf(this.address);
  }

  /** Whether the visitor agreed to send files to this address with this key. */
  get allowed() {
    return this.address !== "" && this.#allowed;
  }

  /** Whether there is a key. The key itself is not exposed. */
  get hasKey() {
    return this.#key !== "";
  }

  /** Remembers that the visitor agreed to send files to the server of this `identity`. Returns whether it still is this one. */
  allow(identity) {
    if (identity !== this.identity) return false;
    this.#allowed = true;
    this.#keep();
    return true;
  }

  /**
   * Sets a valid address and key. An empty key keeps the current one if the address is the same. Rejects with the package's error if
   * it refuses them; then nothing changes.
   */
  async use(entered, key) {
    const address = trimAddress(entered);
    const given = key || (address === this.address ? this.#key : "");
    const client = await connect(address, given);
    this.#take(address, given);
    this.#client = client;
  }

  forget() {
    this.#take("", "");
  }

  countUpload(bytes) {
    this.uploaded += bytes;
  }

  /** A client of the service. */
  async client() {
    this.#client ??= await connect(this.address, this.#key);
    return this.#client;
  }

  #take(address, key) {
    // Another address is another receiver, and so is the account of another key, which a link may have brought: the visitor is
    // asked again.
    if (address !== this.address || key !== this.#key) {
      this.#allowed = false;
      this.identity = {};
    }
    this.address = address;
    this.#key = key;
    this.#client = undefined;
    this.#keep();
  }

  #keep() {
    write(this.address && { address: this.address, key: this.#key, allowed: this.#allowed });
    this.dispatchEvent(new Event("change"));
  }
}

/** What was kept for this tab. A browser that keeps nothing for a page refuses the storage itself. */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

function write(kept) {
  try {
    if (kept) sessionStorage.setItem(STORE, JSON.stringify(kept));
    else sessionStorage.removeItem(STORE);
  } catch {
    // It is known as long as the page is open.
  }
}

async function connect(baseUrl, apiKey) {
  const { Client } = await filepress();
  return new Client({ baseUrl, ...(apiKey && { apiKey, dangerouslyAllowBrowser: true }) });
}

export const service = new Service();
