// The select on a card with the formats that the file can be converted to.
import { text } from "./text.js";

/**
 * @param {HTMLElement} place is hidden if there is nothing to choose.
 * @param {HTMLSelectElement} select its first option follows the settings for all files.
 * @returns {(item) => void} updates the options for an item. An open list is not changed without need.
 */
export function createFormatSelect(place, select) {
  let offered;

  return ({ facts, outputs, call, own }) => {
    const choice = own.to ?? "";
    place.hidden = !facts || outputs.length === 0;
    if (place.hidden) return;
    const planned = choice ? undefined : outputs.find(({ type }) => type === (call?.to ?? facts.type));
    const key = JSON.stringify([outputs.map(({ type }) => type), planned?.type, choice]);
    if (key === offered) return;
    offered = key;
    const byClass = Object.entries(text.classes).map(([kind, label]) => {
      const group = Object.assign(document.createElement("optgroup"), { label });
      group.append(...outputs.filter((format) => format.class === kind).map(({ name, type }) => new Option(name, type)));
      return group;
    });
    const usual = new Option(choice ? text.card.followSettings : (planned?.name ?? facts.name), "");
    select.replaceChildren(usual, ...byClass.filter((group) => group.children.length > 0));
    select.value = choice;
  };
}
