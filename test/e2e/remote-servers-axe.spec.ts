import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makePair } from '../support/builders/certificates.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { openConsole } from './support/console.ts'
import { bar, enterCode, signIn, startAdding, switcher } from './support/remote.ts'
import { startSecondServer } from './support/second-server.ts'

test('axe finds nothing around servers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [pair, other] = [await makePair(folder, 'studio'), await makePair(folder, 'other')]
  const second = await startSecondServer({ tls: pair })
  onTestFinished(() => second.close())
  const one = await openConsole({ reducedMotion: true })
  onTestFinished(() => one.close())
  const { page, goTo } = one
  const found: Record<string, unknown> = {}
  const look = async (what: string) => {
    found[what] = await findingsInBothThemes(one)
  }

  await startAdding(page, 'https://127.0.0.1:1', 'Nowhere')
  await page.getByText('Nothing answers at this address').waitFor()
  await look('add')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await startAdding(page, second.address, 'Studio LAN')
  const question = page.getByRole('dialog', { name: 'Verify the certificate' })
  await question.waitFor()
  await look('trust')
  await question.getByRole('button', { name: 'Trust and connect' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in to Studio LAN' })
  await dialog.waitFor()
  await look('sign-in')
  await signIn(dialog)
  await dialog.getByRole('textbox', { name: 'Code' }).waitFor()
  await look('code')
  await enterCode(dialog, second)
  await bar(page).getByText('Studio LAN', { exact: true }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await look('overview')
  await switcher(page).click()
  await page.getByRole('menuitem', { name: 'Manage servers…' }).waitFor()
  await look('switcher')
  await page.getByRole('menuitem', { name: 'Manage servers…' }).click()
  const manage = page.getByRole('dialog', { name: 'Manage servers' })
  await manage.waitFor()
  await look('manage')
  await manage.getByRole('button', { name: 'Edit Studio LAN' }).click()
  await page.getByRole('dialog', { name: 'Edit Studio LAN' }).waitFor()
  await look('edit')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await goTo('Settings')
  await look('settings')
  await second.stop()
  await second.start(other)
  await page.getByText('The certificate of Studio LAN is not trusted').waitFor()
  await look('refused')
  await page.getByRole('button', { name: 'Review certificate' }).click()
  const review = page.getByRole('dialog', { name: 'Certificate of Studio LAN' })
  await review.waitFor()
  await look('review')
  await review.getByRole('button', { name: 'Trust new certificate' }).click()
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await look('signed out')

  for (const [what, findings] of Object.entries(found)) expect(findings, what).toEqual(NO_FINDINGS)
})
