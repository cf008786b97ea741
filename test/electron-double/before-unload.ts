import type { Page } from './page.ts'

// Chromium's own question would be answered by whoever is connected to it first, Playwright as well.
const ASK = `(() => {
  const event = document.createEvent('BeforeUnloadEvent')
  event.initEvent('beforeunload', false, true)
  window.dispatchEvent(event)
  return event.defaultPrevented || event.returnValue !== ''
})()`

/** Whether the page's `beforeunload` listeners object. One that has gone does not. */
export async function objectsToUnload(page: Page): Promise<boolean> {
  const asked = page.session.send('Runtime.evaluate', { expression: ASK, returnByValue: true })
  return await asked.then(
    ({ result }) => result.value === true,
    () => false,
  )
}
