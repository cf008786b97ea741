import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { takePort } from '../support/processes/ports.ts'
import { openConsole, type ReleaseConsole, serverProcesses } from './support/console.ts'

let opened: ReleaseConsole
describe('in one app', () => {
  beforeAll(async () => {
    opened = await openConsole()
  })
  afterAll(() => opened?.close())

  test('a killed server process restarts, and the console shows it', async () => {
    const { app, page, address } = opened
    await page.getByText('Server is running').waitFor()
    const processes = await serverProcesses(app)
    expect(processes).toHaveLength(1)
    for (const pid of processes) process.kill(pid, 'SIGKILL')
    await page
      .getByRole('status')
      .getByText(/^The server stopped unexpectedly \(exit code \d+\)\. Restarting…$/)
      .waitFor()
    await page.getByText('Server is running').waitFor()
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    await page.getByRole('main').getByText(address).first().waitFor()
  })

  test('open subscriptions end with the server, and the page reaches the next one, also after a reload', async () => {
    const { app, page } = opened
    await page.getByText('Server is running').waitFor()
    const overview = () =>
      page.evaluate(
        "window.tidegate.call({ type: 'query', path: 'overview.get', input: undefined })",
      )
    await page.evaluate(`void (window.ended = new Promise((done) => window.tidegate.subscribe(
      { path: 'events.changes', input: undefined }, (event) => { if (event.type !== 'data') done(event) })))`)
    expect(await overview()).toMatchObject({ ok: true })
    for (const pid of await serverProcesses(app)) process.kill(pid, 'SIGKILL')
    expect(await page.evaluate('window.ended')).toMatchObject({
      type: 'error',
      error: { code: 'unavailable' },
    })
    await expect.poll(overview).toMatchObject({ ok: true })
    await page.evaluate('window.before = true')
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.reload(),
    )
    await expect.poll(() => page.evaluate('typeof window.before')).toBe('undefined')
    await page.getByText('Server is running').waitFor()
    expect(await overview()).toMatchObject({ ok: true })
  })
})

test('a port in use is reported, and the start can be retried', async () => {
  const { port, release } = await takePort()
  opened = await openConsole({ port })
  onTestFinished(() => opened.close())
  const { page, address } = opened
  const status = page.getByRole('status')
  await status.getByText('The server cannot start: its port is already in use').waitFor()
  await status.getByText(String(port)).waitFor()
  await release()
  await status.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Server is running').waitFor()
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})
