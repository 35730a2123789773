// The service for what is too heavy for a page: its address and key, kept for this tab alone, and whether files may go there.
import { filepress } from "./package.js";

const STORE = "filepress.service";

class Service extends EventTarget {
  /** Address, or "" where there is none. */
  address = "";
  #key = "";
  #client;
  #allowed = false;

  constructor() {
    super();
    const { address = "", key = "", allowed = false } = JSON.parse(sessionStorage.getItem(STORE) ?? "{}");
    Object.assign(this, { address });
    this.#key = key;
    this.#allowed = allowed;
    this.#fromFragment();
  }

  /** `#service=ADDRESS&key=KEY`, as `make demo` passes them; taken off the address bar, so that no bookmark keeps them. */
  #fromFragment() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!given.has("service")) return;
    history.replaceState(null, "", location.pathname + location.search);
    this.#take(given.get("service"), given.get("key") ?? "");
  }

  /** The host's name, for people. */
  get host() {
    return URL.canParse(this.address) ? new URL(this.address).host : this.address;
  }

  /** Whether the visitor agreed that files go to this address. */
  get allowed() {
    return this.address !== "" && this.#allowed;
  }

  /** Whether a key was given; it is not handed out. */
  get hasKey() {
    return this.#key !== "";
  }

  allow() {
    this.#allowed = true;
    this.#keep();
  }

  /**
   * Takes an address and a key; an empty key is the one given before, where the address is. Rejects with what the package finds
   * wrong with them; then all is as before.
   */
  async use(address, key) {
    const given = key || (address === this.address ? this.#key : "");
    const client = await connect(address, given);
    this.#take(address, given);
    this.#client = client;
  }

  forget() {
    this.#take("", "");
  }

  /** A client of the service. */
  async client() {
    this.#client ??= await connect(this.address, this.#key);
    return this.#client;
  }

  #take(address, key) {
    // Another address is another receiver: the visitor is asked again.
    if (address !== this.address) this.#allowed = false;
    this.address = address;
    this.#key = key;
    this.#client = undefined;
    this.#keep();
  }

  #keep() {
    if (this.address)
      sessionStorage.setItem(STORE, JSON.stringify({ address: this.address, key: this.#key, allowed: this.#allowed }));
    else sessionStorage.removeItem(STORE);
    this.dispatchEvent(new Event("change"));
  }
}

async function connect(baseUrl, apiKey) {
  const { Client } = await filepress();
  return new Client({ baseUrl, ...(apiKey && { apiKey, dangerouslyAllowBrowser: true }) });
}

export const service = new Service();
