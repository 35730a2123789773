// The service for what is too heavy for a page: its address and key, kept for this tab alone, and whether files may go there.
import { addressFault, hostOf, keyFault, trimAddress } from "./server-address.js";
import { filepress } from "./package.js";

const STORE = "filepress.service";

/** Says with the event "change" that it is another one, and with "refused" that the address bar's is not taken. */
class Service extends EventTarget {
  /** Address, or "" where there is none. */
  address = "";
  /** Another object for each address and key. */
  identity = {};
  /** What is wrong with the service that the address bar named last; "" where nothing is. */
  fault = "";
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
   * `#service=ADDRESS&key=KEY`, as `make demo` passes them; taken off the address bar, so that no bookmark keeps them. What can
   * not be used changes nothing.
   */
  #fromFragment() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!given.has("service") && !given.has("key")) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (!given.has("service")) return;
    const [address, key] = ["service", "key"].map((name) => (given.get(name) ?? "").trim());
    this.fault = address && (addressFault(address) || keyFault(key));
    if (this.fault) this.dispatchEvent(new Event("refused"));
    else this.#take(trimAddress(address), key);
  }

  /** The host's name, for people. */
  get host() {
    return hostOf(this.address);
  }

  /** Whether the visitor agreed that files go to this address, under this key. */
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
   * Takes an address and a key that have no fault; an empty key is the one given before, where the address is. Rejects with what
   * the package finds wrong with them; then all is as before.
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
