// Video and sound side by side, each in a player of the browser; a picture beside them as it is.

const words = ["Before", "After"];

/**
 * @param {HTMLElement} place where the players go.
 * @param {{ blob: Blob, kind: string }[]} sides before and after.
 * @param {(words: string) => void} say what cannot be played.
 * @returns {() => void} ends them.
 */
export function showPlayers(place, sides, say) {
  const urls = sides.map(({ blob }) => URL.createObjectURL(blob));
  const figures = sides.map(({ kind }, index) => {
    const player = document.createElement(kind === "image" ? "img" : kind);
    if (kind === "image") player.alt = words[index];
    else Object.assign(player, { controls: true, preload: "metadata", playsInline: true });
    player.setAttribute("aria-label", words[index]);
    player.addEventListener(
      "error",
      () => player.isConnected && say(`${words[index]}: this browser cannot play this type. Download it to see it.`),
    );
    player.addEventListener("loadedmetadata", () => {
      if (kind === "video" && player.videoWidth === 0)
        say(`${words[index]}: this browser can play the sound of this type, and not show its picture.`);
    });
    player.src = urls[index];
    const figure = document.createElement("figure");
    figure.append(player, Object.assign(document.createElement("figcaption"), { textContent: words[index] }));
    return figure;
  });
  place.replaceChildren(...figures);
  return () => {
    place.replaceChildren();
    urls.forEach((url) => URL.revokeObjectURL(url));
  };
}
