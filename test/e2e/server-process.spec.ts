import { afterEach, expect, test } from 'vitest'
import { takePort } from '../support/processes/ports.ts'
import { openConsole, type ReleaseConsole, serverProcesses } from './support/console.ts'

let opened: ReleaseConsole
afterEach(() => opened?.close())

test('a server process that is killed comes back before the eyes of the person', async () => {
  opened = await openConsole()
  const { app, page, address } = opened
  await page.getByText('Server is running').waitFor()
  const processes = await serverProcesses(app)
  expect(processes).toHaveLength(1)
  for (const pid of processes) process.kill(pid, 'SIGKILL')
  await page.getByRole('status').getByText('The server ended and is being restarted').waitFor()
  await page.getByText('Server is running').waitFor()
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  await page.getByRole('main').getByText(address).first().waitFor()
})

test('a port that is taken is said in words, and tried again when the person says so', async () => {
  const { port, release } = await takePort()
  opened = await openConsole({ port })
  const { page, address } = opened
  const status = page.getByRole('status')
  await status.getByText('The server cannot start: its port is taken').waitFor()
  await status.getByText(String(port)).waitFor()
  await release()
  await status.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Server is running').waitFor()
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})
