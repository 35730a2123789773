// Video and audio side by side, each in the browser's player; images as they are.
import { text } from "../text.js";

const labels = [text.page.before, text.page.after];

/**
 * @param {HTMLElement} place where the players go.
 * @param {{ blob: Blob, kind: string }[]} sides before and after.
 * @param {(words: string) => void} say shows what can't be played.
 * @returns {() => void} removes the players.
 */
export function showPlayers(place, sides, say) {
  const urls = sides.map(({ blob }) => URL.createObjectURL(blob));
  const figures = sides.map(({ kind }, index) => {
    const player = document.createElement(kind === "image" ? "img" : kind);
    if (kind === "image") player.alt = labels[index];
    else Object.assign(player, { controls: true, preload: "metadata", playsInline: true });
    player.setAttribute("aria-label", labels[index]);
    player.addEventListener(
      "error",
      () => player.isConnected && say(text.compare.cannotPlay(labels[index])),
    );
    player.addEventListener("loadedmetadata", () => {
      if (kind === "video" && player.videoWidth === 0)
        say(text.compare.audioOnly(labels[index]));
    });
    player.src = urls[index];
    const figure = document.createElement("figure");
    figure.append(player, Object.assign(document.createElement("figcaption"), { textContent: labels[index] }));
    return figure;
  });
  place.replaceChildren(...figures);
  return () => {
    place.replaceChildren();
    urls.forEach((url) => URL.revokeObjectURL(url));
  };
}
