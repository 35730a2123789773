// filepress/serve/node: connects filepress/serve to the HTTP server of Node, or to Express.

/**
 * Turns a handler into a listener for `http.createServer`, or into a middleware. If the handler resolves to `undefined`, the request goes to
 * `next`. If there is no `next`, the request gets the status 404. When the client closes the connection, the request's signal aborts.
 *
 * The URL of the handler's `Request` is `http://localhost` followed by the path and query, whatever host the client names. That name is in the
 * header `host`: compare it with the hosts that you serve before you use it. A request that no `Request` can represent is not given to the
 * handler, but goes to `next` too: one with the method TRACE, or one whose target does not begin with a slash.
 *
 * @example
 * createServer(toNodeListener(createImageServer(options))).listen(8080);
 */
export function toNodeListener(
  handler: (request: Request) => Promise<Response | undefined>,
): (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => Promise<void>;

/** The part of an `http.IncomingMessage` that the listener uses. */
export interface NodeRequest {
  /** The method. */
  method?: string | undefined;
  /** Path and query. */
  url?: string | undefined;
  /** The headers. */
  headers: Record<string, string | string[] | undefined>;
}

/** The part of an `http.ServerResponse` that the listener uses. */
export interface NodeResponse {
  /** Whether the head was sent. */
  readonly headersSent: boolean;
  /** Sends the head. */
  writeHead(status: number, headers?: Record<string, string>): unknown;
  /** Ends the response. */
  end(body?: Uint8Array): unknown;
  /** Registers a listener. */
  once(event: "close", listener: () => void): unknown;
}
