// Keeps the focus on the page: where the focused element is hidden, browsers move it to the beginning of the document.

export const isShown = (element) => element.getClientRects().length > 0;

/** Does what may hide elements in `place`. If the focused one is among them, the first of `others` that is shown gets the focus. */
export function keepFocus(place, hide, others) {
  const { activeElement } = document;
  hide();
  if (place.contains(activeElement) && !isShown(activeElement)) others.find(isShown)?.focus();
}
