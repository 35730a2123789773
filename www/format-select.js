// The list of types that one file can become, on its card.

const groups = { image: "Pictures", video: "Video", audio: "Sound", document: "Document" };

/**
 * @param {HTMLElement} place is hidden while there is nothing to choose.
 * @param {HTMLSelectElement} select first of all offers what the settings for all say.
 * @returns {(item) => void} brings the list up to date with an item; one that is open is not disturbed without need.
 */
export function createTypeList(place, select) {
  let offered;

  return ({ facts, outputs, call, choice }) => {
    place.hidden = !facts || outputs.length === 0;
    if (place.hidden) return;
    const planned = choice ? undefined : outputs.find(({ type }) => type === (call?.to ?? facts.type));
    const key = JSON.stringify([outputs.map(({ type }) => type), planned?.type, choice]);
    if (key === offered) return;
    offered = key;
    const byClass = Object.entries(groups).map(([kind, label]) => {
      const group = Object.assign(document.createElement("optgroup"), { label });
      group.append(...outputs.filter((format) => format.class === kind).map(({ name, type }) => new Option(name, type)));
      return group;
    });
    const usual = new Option(choice ? "As set for all" : (planned?.name ?? facts.name), "");
    select.replaceChildren(usual, ...byClass.filter((group) => group.children.length > 0));
    select.value = choice;
  };
}
