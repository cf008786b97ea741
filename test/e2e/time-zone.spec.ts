import { beforeAll, expect, test } from 'vitest'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll({ env: { TZ: 'Asia/Kolkata' } })

beforeAll(async () => {
  await createApp(opened)
})

/** Whether the time that a screen shows first is written in a time zone. */
const isIn = (timeZone: string) =>
  opened.page
    .getByRole('main')
    .locator('time')
    .first()
    .evaluate((time, zone) => {
      const at = new Date(time.getAttribute('datetime') ?? '')
      const parts = { hour: 'numeric', minute: '2-digit', timeZone: zone } as const
      const expected = new Intl.DateTimeFormat(undefined, parts).format(at)
      return time.textContent?.includes(expected) === true
    }, timeZone)

async function choose(zone: string): Promise<void> {
  await opened.goTo('Settings')
  const zones = opened.page.getByRole('radiogroup', { name: 'Time zone' })
  await zones.getByText(zone, { exact: true }).click()
  await expect.poll(() => zones.getByRole('radio', { name: zone }).isChecked()).toBe(true)
}

test('the chosen time zone applies on every screen', async () => {
  const { goTo } = opened
  await goTo('Apps and channels')
  await expect.poll(() => isIn('Asia/Kolkata')).toBe(true)
  await choose('UTC')
  for (const screen of ['Apps and channels', 'Audit log'] as const) {
    await goTo(screen)
    await expect.poll(() => isIn('UTC')).toBe(true)
  }
  await choose('Local')
  await goTo('Apps and channels')
  await expect.poll(() => isIn('Asia/Kolkata')).toBe(true)
})
