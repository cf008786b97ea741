import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { callApi, publishByApi } from './support/api.ts'
import { serverProcesses } from './support/console.ts'
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
  // The server counts nothing until the dialog has stopped it.
  const server = await serverProcesses(opened.app)
  for (const pid of server) process.kill(pid, 'SIGSTOP')
  const goOn = () => {
    for (const pid of server) process.kill(pid, 'SIGCONT')
  }
  onTestFinished(goOn)
  await page.getByRole('button', { name: 'Raise to 25%' }).click()
  const dialog = page.getByRole('dialog', { name: 'Raise the rollout of 1.0.0 to 25%' })
  await dialog.getByText('Counting devices').waitFor()
  expect(await dialog.getByRole('progressbar', { name: 'Devices counted' }).count()).toBe(1)
  const apply = dialog.getByRole('button', { name: 'Raise to 25%' })
  expect(await apply.isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Stop counting' }).click()
  await dialog.getByText('Counting stopped. The impact is unknown.').waitFor()
  await expect.poll(() => apply.isDisabled()).toBe(false)
  goOn()
  await dialog.getByRole('button', { name: 'Count again' }).click()
  await dialog.getByText('of 2,000 devices will be newly offered').waitFor()
  await dialog.getByRole('tab', { name: 'By platform' }).click()
  await dialog.getByRole('cell', { name: /linux/ }).waitFor()
})
