// The parts of GitHub's REST API that the action uses.

/** The most that GitHub gives at once. */
const PER_PAGE = 100;

export function createGitHub({ api, repository, token }) {
  async function request(path, { method = "GET", body } = {}) {
    const headers = { accept: "application/vnd.github+json", authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${api}/repos/${repository}${path}`, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: status ${response.status}`);
    return response.json();
  }

  /** All entries of a list that comes in pages. */
  async function list(path) {
    const entries = [];
    for (let page = 1; ; page++) {
      const found = await request(`${path}?per_page=${PER_PAGE}&page=${page}`);
      entries.push(...found);
      if (found.length < PER_PAGE) return entries;
    }
  }

  return {
    /** The files of a pull request, `{ filename, status }`. */
    listFiles: (number) => list(`/pulls/${number}/files`),
    /** The id of an app's comment that begins with `marker`, if there is one. People can write one too, which is theirs. */
    findComment: async (number, marker) => (await list(`/issues/${number}/comments`)).find(({ body, user }) => user?.type === "Bot" && body?.startsWith(marker))?.id,
    /** Changes the comment with this id, or adds one. */
    writeComment: (number, id, body) => request(id ? `/issues/comments/${id}` : `/issues/${number}/comments`, { method: id ? "PATCH" : "POST", body: { body } }),
  };
}
