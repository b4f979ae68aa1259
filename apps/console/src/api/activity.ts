/** Notes what a person does on this page. @returns whether they have done something since the last call */
export function noteActivity(page: EventTarget): () => boolean {
  // Opening the page is something that a person does.
  let isActive = true;
  const note = (): void => {
    isActive = true;
  };
  for (const kind of ['pointerdown', 'keydown'])
    page.addEventListener(kind, note, { passive: true });
  return () => {
    const wasActive = isActive;
    isActive = false;
    return wasActive;
  };
}
