import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../support/postgres/shared-cluster.ts'
import { openPageOf, serveInProcess } from './support/browser.ts'
import { expectFits } from './support/looks.ts'

type Served = Awaited<ReturnType<typeof serveInProcess>>

let folder: string
let one: Served
let two: Served
let opened: Awaited<ReturnType<typeof openPageOf>>

const start = async (name: string, DATABASE: string) =>
  await serveInProcess(join(folder, name), 0, { DATABASE })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-e2e-'))
  const database = await freshDatabase()
  one = await start('one', database)
  opened = await openPageOf(one)
  two = await start('two', database)
})
afterAll(async () => {
  await opened?.close()
  await Promise.all([one?.stop(), two?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

test('the settings show the servers on a database, and which of them is gone', async () => {
  const { page, goTo } = opened
  await goTo('Settings')
  const rowOf = ({ console: address }: Served) =>
    page
      .getByRole('table', { name: 'Nodes' })
      .getByRole('row')
      .filter({
        hasText: new URL(address).origin,
      })
  for (const served of [one, two]) {
    await rowOf(served).getByText('OK', { exact: true }).waitFor()
    await rowOf(served).getByText('Up to date').waitFor()
  }
  await rowOf(one).getByText('This page').waitFor()
  expect(await rowOf(two).getByText('This page').count()).toBe(0)
  await page.getByText('2 nodes').waitFor()
  await expectFits(page, 'settings')
  await two.kill()
  await rowOf(two).getByText('Ended').waitFor()
  await rowOf(one).getByText('OK', { exact: true }).waitFor()
  // Before the node ran for long enough, so that the screen has to look again.
  await goTo('Overview')
  await page.getByText('Update checks there get no update').waitFor()
  await expectFits(page, 'overview-nodes')
  await goTo('Settings')
  await rowOf(one).waitFor()
  await rowOf(two).scrollIntoViewIfNeeded()
  await expectFits(page, 'nodes-ended')
})
