import { beforeAll, expect, test } from 'vitest'
import { callApi, publishByApi } from './support/api.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const CALLS = 4
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0', { rolloutPct: 10 })
  for (let call = 0; call < CALLS; call++) {
    const devices = Array.from({ length: 500 }, (_, n) => ({
      deviceId: `device-${call}-${n}`,
      version: '0.9.0',
      platform: 'linux',
      arch: 'x86_64',
    }))
    const body = { app: 'editor', channel: 'stable', dryRun: false, devices }
    expect((await callApi(opened, 'POST', 'fleet/decisions', body)).status).toBe(200)
  }
})

test('a running preview can be stopped and restarted', async () => {
  const { page, goTo } = opened
  await goTo('Releases')
  await page.getByRole('link', { name: '1.0.0 of editor/stable' }).click()
  await page.getByRole('button', { name: '25%', exact: true }).click()
  // Counts run one at a time: those ahead of it keep the one of the dialog waiting.
  await page.evaluate(`window.ahead = Array.from({ length: 30 }, () => window.tidegate.subscribe({
    path: 'releases.preview',
    input: { app: 'editor', channel: 'stable', version: '1.0.0', rolloutPct: 50 } }, () => {}))`)
  await page.getByRole('button', { name: 'Raise to 25%' }).click()
  const dialog = page.getByRole('dialog', { name: 'Raise the rollout of 1.0.0 to 25%' })
  await dialog.getByText('Counting devices').waitFor()
  expect(await dialog.getByRole('progressbar', { name: 'Devices counted' }).count()).toBe(1)
  const apply = dialog.getByRole('button', { name: 'Raise to 25%' })
  expect(await apply.isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Stop counting' }).click()
  await dialog.getByText('Counting stopped. The impact is unknown.').waitFor()
  await expect.poll(() => apply.isDisabled()).toBe(false)
  await page.evaluate('for (const end of window.ahead) end()')
  await dialog.getByRole('button', { name: 'Count again' }).click()
  await dialog.getByText('of 2,000 devices will be newly offered').waitFor()
  await dialog.getByRole('tab', { name: 'By platform' }).click()
  await dialog.getByRole('cell', { name: /linux/ }).waitFor()
})
