import { expect, test } from 'vitest'
import { startOver } from './support/console.ts'
import { openForAll } from './support/open-for-all.ts'

const opened = openForAll()

test.each([
  [1280, 800],
  [1024, 700],
  [640, 480],
])('a notification covers no button at %i by %i', async (width, height) => {
  const { page } = opened
  await startOver(opened)
  await page.setViewportSize({ width, height })
  await opened.goTo('Settings')
  const backUp = page.getByRole('button', { name: 'Back up now' })
  // In the lower right corner of what can be seen.
  await backUp.evaluate((it) => it.scrollIntoView({ block: 'end' }))
  await backUp.click()
  const toast = page.getByRole('alert').filter({ hasText: 'Backup created and verified' })
  await toast.waitFor()
  const covered = await toast.evaluate((it) => {
    const controls = [...document.querySelectorAll<HTMLElement>('button, a, input')]
    return controls
      .filter((control) => {
        if (it.contains(control) || !control.checkVisibility()) return false
        const { left, top, width, height } = control.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        // What is scrolled away is not covered.
        for (let box = control.parentElement; box !== null; box = box.parentElement) {
          const { left, right, top, bottom } = box.getBoundingClientRect()
          const clips = getComputedStyle(box).overflowY !== 'visible'
          if (clips && (x < left || x > right || y < top || y > bottom)) return false
        }
        return it.contains(document.elementFromPoint(x, y))
      })
      .map((control) => control.textContent)
  })
  expect(covered).toEqual([])
  await page
    .getByRole('button', { name: /^Restore backup .*\.db/ })
    .first()
    .click()
  await page.getByRole('dialog', { name: 'Restore backup' }).waitFor()
})
