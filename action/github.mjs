// The parts of GitHub's API that the action uses.

/** The most that GitHub gives at once. */
const PER_PAGE = 100;

/** Statuses of a comment that this token may not change, or that is gone. */
const NOT_OURS = [403, 404, 410];

/** `api` and `graphql` are the addresses of the REST and the GraphQL API. */
export function createGitHub({ api, graphql, repository, token }) {
  const request = (path, options) => send(`${api}/repos/${repository}${path}`, path, { token, ...options });

  /** All entries of a list that comes in pages. */
  async function list(path) {
    const entries = [];
    for (let page = 1; ; page++) {
      const found = await request(`${path}?per_page=${PER_PAGE}&page=${page}`);
      entries.push(...found);
      if (found.length < PER_PAGE) return entries;
    }
  }

  /** The name under which the token writes. The REST API tells it to the tokens of people only. Undefined if GitHub does not tell. */
  async function readLogin() {
    try {
      const { data } = await send(graphql, "viewer", { token, method: "POST", body: { query: "{ viewer { login } }" } });
      return data?.viewer?.login;
    } catch {
      return undefined;
    }
  }

  return {
    /** The files of a pull request, `{ filename, status }`. */
    listFiles: (number) => list(`/pulls/${number}/files`),

    /**
     * The ids of the comments that begin with `marker` and are the token's own, the newest first. Anyone can write one that begins so, which stays
     * theirs: who writes it could change the report later. Without the token's name, those of all apps.
     */
    async findComments(number, marker) {
      const marked = (await list(`/issues/${number}/comments`)).filter(({ body }) => body?.startsWith(marker));
      const login = marked.length > 0 ? await readLogin() : undefined;
      const own = marked.filter(({ user }) => (login ? user?.login === login : user?.type === "Bot"));
      return own.map(({ id }) => id).reverse();
    },

    /** Changes the first of the comments that the token may change. Resolves to whether there was one. */
    async changeComment(ids, body) {
      for (const id of ids) {
        try {
          await request(`/issues/comments/${id}`, { method: "PATCH", body: { body } });
          return true;
        } catch (error) {
          if (!NOT_OURS.includes(error.status)) throw error;
        }
      }
      return false;
    },

    addComment: (number, body) => request(`/issues/${number}/comments`, { method: "POST", body: { body } }),
  };
}

/** Resolves to the JSON of the response. An error names `what` and has the status. */
async function send(url, what, { token, method = "GET", body }) {
  const headers = { accept: "application/vnd.github+json", authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw Object.assign(new Error(`${method} ${what}: status ${response.status}`), { status: response.status });
  return response.json();
}
