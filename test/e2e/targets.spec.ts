import { beforeAll, expect, test } from 'vitest'
import { createChannel, publishAndOpen } from './support/channel.ts'
import { check, type SentFacts } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { pick } from './support/picker.ts'
import {
  conditionField,
  confirmPublish,
  createApp,
  fillRelease,
  openPublishForm,
} from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})

/** Adds a condition to the editor that is open, as the `number`th of its kind. */
async function add(
  kind: 'label' | 'expression',
  number: number,
  key: string,
  operator = '',
  values: readonly string[] = [],
): Promise<void> {
  const { page } = opened
  const name = `${kind} ${number}`
  await page
    .getByRole('button', { name: kind === 'label' ? 'Add label' : 'Add expression' })
    .click()
  await conditionField(page, `Key of ${name}`).fill(key)
  if (operator !== '') await page.getByLabel(`Comparison of ${name}`).selectOption(operator)
  const field = conditionField(page, new RegExp(`^(Values|Ranges) of ${name}$`))
  for (const value of values) {
    await field.fill(value)
    await field.press('Enter')
  }
}

/** The version that a device is offered. */
async function offered(
  version: string,
  sent: SentFacts,
  device = 'a-device',
): Promise<string | undefined> {
  return (await check(opened.address, version, device, sent))?.version
}

test('every operator chosen in the publish form decides over HTTP', async () => {
  const { page } = opened
  await createChannel(opened, 'operators')
  await openPublishForm(opened)
  await pick(page, 'Channel', 'operators')
  await fillRelease(page, '2.0.0')
  await add('label', 1, 'ring', '', ['beta', 'internal'])
  await add('expression', 1, 'region', 'NotIn', ['eu'])
  await add('expression', 2, 'licence', 'Exists')
  await add('expression', 3, 'kiosk', 'DoesNotExist')
  await add('expression', 4, 'device.version', 'VersionIn', ['>=1.0.0 <1.5.0'])
  await add('expression', 5, 'device.platform', 'In', ['linux'])
  await page.getByText(/whose label ring is beta or internal/).waitFor()
  await confirmPublish(page, '2.0.0')
  await page.getByText(/whose version is in the range/).waitFor()

  const offeredTo = (version: string, labels: Record<string, string>) =>
    offered(version, { channel: 'operators', labels })
  const labels = { ring: 'beta', licence: 'full' }
  expect(await offeredTo('1.4.9', labels)).toBe('2.0.0')
  expect(await offeredTo('1.4.9', { ...labels, ring: 'internal', region: 'us' })).toBe('2.0.0')
  expect(await offeredTo('1.4.9', { ...labels, ring: 'general' }), 'ring').toBeUndefined()
  expect(await offeredTo('1.4.9', { licence: 'full' }), 'no ring').toBeUndefined()
  expect(await offeredTo('1.4.9', { ...labels, region: 'eu' }), 'NotIn').toBeUndefined()
  expect(await offeredTo('1.4.9', { ring: 'beta' }), 'Exists').toBeUndefined()
  expect(await offeredTo('1.4.9', { ...labels, kiosk: '1' }), 'absent').toBeUndefined()
  expect(await offeredTo('1.5.0', labels), 'VersionIn').toBeUndefined()
})

test('an incomplete form shows the faults at its fields, and nothing is published', async () => {
  const { page } = opened
  await openPublishForm(opened)
  await fillRelease(page, '2.1.0')
  await add('expression', 1, 'device.version', 'VersionIn', ['newer than one'])
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('“newer than one” is not a version range').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove expression 1' }).click()
  await confirmPublish(page, '2.1.0')
})

test('targets are changed on the release page before a device was offered the release', async () => {
  const { page } = opened
  const channel = 'not-offered'
  await createChannel(opened, channel)
  await publishAndOpen(opened, channel, '2.1.0')
  await page.getByRole('button', { name: 'Edit targets' }).click()
  await add('label', 1, 'ring', '', ['beta'])
  await add('expression', 1, 'device.arch', 'In', ['x86_64'])
  await add('expression', 2, 'device.id', 'NotIn', ['device-9'])
  await change()
  await page.getByText(/Targets: devices whose label ring is beta/).waitFor()
  const labels = { ring: 'beta' }
  expect(await offered('2.0.0', { channel, labels }, 'device-9')).toBeUndefined()
  expect(await offered('2.0.0', { channel, labels: { ring: 'general' } })).toBeUndefined()
  expect(await offered('2.0.0', { channel, labels, target: 'linux/aarch64' })).toBeUndefined()
  expect(await offered('2.0.0', { channel, labels })).toBe('2.1.0')
})

test('once offered, targets can only be broadened', async () => {
  const { page } = opened
  const channel = 'offered'
  await createChannel(opened, channel)
  await publishAndOpen(opened, channel, '2.1.0', {
    targets: {
      matchLabels: { ring: 'beta' },
      matchExpressions: [{ key: 'device.arch', operator: 'In', values: ['x86_64'] }],
    },
  })
  expect(await offered('2.0.0', { channel, labels: { ring: 'beta' } })).toBe('2.1.0')
  await page.getByText('Devices have been offered this release').waitFor()
  await page.getByRole('button', { name: 'Edit targets' }).click()
  await page.getByText('Targets can only be broadened').waitFor()
  expect(await page.getByRole('button', { name: /^Add (label|expression)$/ }).count()).toBe(0)
  for (const name of ['Key of label 1', 'Key of expression 1', 'Values of expression 1']) {
    expect(await conditionField(page, name).isDisabled(), name).toBe(true)
  }
  expect(await page.getByLabel('Comparison of expression 1').isDisabled()).toBe(true)
  const values = conditionField(page, 'Values of label 1')
  await values.focus()
  await page.keyboard.press('Backspace')
  await page.getByText('whose label ring is beta').first().waitFor()
  await values.fill('general')
  await values.press('Enter')
  await change()
  expect(await offered('2.0.0', { channel, labels: { ring: 'general' } })).toBe('2.1.0')
})

async function change(): Promise<void> {
  const { page } = opened
  await page.getByRole('button', { name: 'Change targets' }).click()
  const dialog = page.getByRole('dialog', { name: /^Change the targets/ })
  await dialog.getByRole('status').waitFor()
  await dialog.getByRole('button', { name: 'Change targets' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
