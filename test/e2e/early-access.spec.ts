import type { Locator } from 'playwright'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { deviceWithin } from '../support/builders/devices.ts'
import { publishByApi } from './support/api.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { conditionField, createApp } from './support/steps.ts'

const opened = openForAll()
/** In the rollout of 1.1.0 only by early access or a manual check. */
let device: string

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  const id = await publishByApi(opened, '1.1.0', { rolloutPct: 1 })
  device = deviceWithin(id, 0.5, 1)
  await check(opened.address, '1.0.0', device, { labels: { ring: 'beta' } })
})
beforeEach(() => opened.goTo('Overview'))

const dialog = () => opened.page.getByRole('dialog', { name: 'Channel policy: stable' })
const deviceIds = () => dialog().getByRole('textbox', { name: 'Device IDs' })
const save = () => dialog().getByRole('button', { name: 'Save policy' }).click()
const panel = (name: string) => opened.page.getByRole('region', { name })
const verdict = (text: string | RegExp) => panel('Update decision').getByText(text)

const invalid = (field: Locator) =>
  expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')

async function openAt(hash: string) {
  await opened.goTo('Overview')
  await opened.page.evaluate((to) => {
    location.hash = to
  }, hash)
}

async function openPolicy() {
  await openAt('#/apps/editor')
  await opened.page.getByRole('button', { name: 'Manage channel stable' }).click()
  await opened.page.getByRole('menuitem', { name: 'Edit policy' }).click()
  await deviceIds().waitFor()
}

test('a device gets early access on its page, and loses it there', async () => {
  const { page } = opened
  await openAt(`#/devices/editor/${device}`)
  await verdict('No update: this device is not in the rollout of 1.1.0.').waitFor()
  await panel('Early access').getByText('Not on the early access list of stable').waitFor()
  await page.getByRole('button', { name: 'Add to early access' }).click()
  await panel('Early access').getByText('On stable, by its ID').waitFor()
  await verdict('Update offered: 1.1.0').waitFor()
  await verdict('In the 1% rollout (early access).').waitFor()
  await page.getByRole('button', { name: 'Remove from early access' }).click()
  await verdict('No update: this device is not in the rollout of 1.1.0.').waitFor()
  await opened.goTo('Audit log')
  await page.getByText('Changed policy: early access, devices.').first().waitFor()
})

test('the policy form has the list, and shows what is wrong with it', async () => {
  const { page } = opened
  await openPolicy()
  await deviceIds().fill('one\ntwo words')
  await dialog().getByRole('button', { name: 'Add devices by label' }).click()
  const key = dialog().getByRole('combobox', { name: 'Key of label 1' })
  await save()
  await dialog().getByText('two words is not a device ID').waitFor()
  await invalid(key)
  await deviceIds().fill('one')
  await key.fill('ring')
  await conditionField(page, 'Values of label 1').fill('beta')
  await conditionField(page, 'Values of label 1').press('Enter')
  await dialog().getByText('devices whose label ring is beta').waitFor()
  await save()
  await dialog().waitFor({ state: 'hidden' })
  await openPolicy()
  expect(await deviceIds().inputValue()).toBe('one')
  await dialog().getByText('devices whose label ring is beta').waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await openAt(`#/devices/editor/${device}`)
  await panel('Early access').getByText('On stable, by its labels').waitFor()
  expect(await page.getByRole('button', { name: /early access/ }).count()).toBe(0)
  await verdict('In the 1% rollout (early access).').waitFor()
  await openPolicy()
  await dialog().getByRole('button', { name: 'Remove matching devices 1' }).click()
  await save()
  await dialog().waitFor({ state: 'hidden' })
  await openAt(`#/devices/editor/${device}`)
  await panel('Early access').getByText('Not on the early access list of stable').waitFor()
})

test('a manual check is explained, before and after the channel allows it', async () => {
  const { page } = opened
  await openAt(`#/devices/editor/${device}`)
  const manual = page.getByRole('checkbox', { name: 'Manual check' })
  await manual.check()
  await verdict('Manual check: editor/stable does not let it skip the rollout.').waitFor()
  await openPolicy()
  await dialog().getByRole('checkbox', { name: 'Offer staged releases to manual checks' }).check()
  await save()
  await dialog().waitFor({ state: 'hidden' })
  await openAt(`#/devices/editor/${device}`)
  await manual.check()
  await verdict('In the 1% rollout (manual check).').waitFor()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await verdict('No update: this device is not in the rollout of 1.1.0.').waitFor()
})

test('its screens have no serious finding', async () => {
  await openAt(`#/devices/editor/${device}`)
  await panel('Early access').getByRole('button').waitFor()
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
  await openPolicy()
  await dialog().getByRole('button', { name: 'Add devices by label' }).click()
  await dialog().getByRole('button', { name: 'Add devices by label' }).click()
  await save()
  await invalid(dialog().getByRole('combobox', { name: 'Key of label 1' }).first())
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().waitFor({ state: 'hidden' })
})
