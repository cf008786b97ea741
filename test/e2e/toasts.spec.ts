import { afterEach, expect, test } from 'vitest'
import { openConsole, type ReleaseConsole } from './support/console.ts'

let opened: ReleaseConsole
afterEach(() => opened?.close())

test.each([
  [1280, 800],
  [1024, 700],
  [640, 480],
])('a notification covers no button at %i by %i', async (width, height) => {
  opened = await openConsole({ reducedMotion: true })
  const { page } = opened
  await page.setViewportSize({ width, height })
  await opened.goTo('Settings')
  const backUp = page.getByRole('button', { name: 'Back up now' })
  // In the lower right corner of what can be seen.
  await backUp.evaluate((it) => it.scrollIntoView({ block: 'end' }))
  await backUp.click()
  const toast = page.getByRole('alert').filter({ hasText: 'Backup created and verified' })
  await toast.waitFor()
  const covered = await toast.evaluate((it) => {
    const box = it.getBoundingClientRect()
    const buttons = [...document.querySelectorAll<HTMLElement>('button, a, input')]
    const visible = buttons.filter((button) => !it.contains(button) && button.checkVisibility())
    return visible
      .filter((button) => {
        const own = button.getBoundingClientRect()
        const [x, y] = [own.left + own.width / 2, own.top + own.height / 2]
        const isUnder = x > box.left && x < box.right && y > box.top && y < box.bottom
        return isUnder && it.contains(document.elementFromPoint(x, y))
      })
      .map((button) => button.textContent)
  })
  expect(covered).toEqual([])
  await page.getByRole('button', { name: /^Restore backup .*\.db/ }).click()
  await page.getByRole('dialog', { name: 'Restore backup' }).waitFor()
})
