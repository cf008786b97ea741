import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { callConsole } from './support/api.ts'
import { startOver } from './support/console.ts'
import { interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})
beforeEach(async () => {
  await startOver(opened)
  await changeElsewhere({
    updateMode: 'optional',
    minimumSupportedVersion: '1.0.0',
    rollback: 'downgrade',
  })
  await opened.page.evaluate(`location.hash = '#/apps/editor'`)
})

const dialog = () => opened.page.getByRole('dialog', { name: 'Channel policy: stable' })
const minimum = () => dialog().getByRole('textbox', { name: 'Minimum supported version' })

async function openPolicy() {
  await opened.page.getByRole('button', { name: 'Manage channel stable' }).click()
  await opened.page.getByRole('menuitem', { name: 'Edit policy' }).click()
  await minimum().waitFor()
}

/** Changes the policy as another window does. */
async function changeElsewhere(policy: Readonly<Record<string, string>>) {
  const input = { app: 'editor', channel: 'stable', policy }
  await callConsole(opened.page, 'mutation', 'channels.setPolicy', input)
}

const Apps = z.object({
  data: z.tuple([z.object({ channels: z.tuple([z.object({ policy: z.unknown() })]) })]),
})
const stored = async () =>
  Apps.parse(await callConsole(opened.page, 'query', 'apps.list')).data[0].channels[0].policy

test('a policy that was changed meanwhile is not overwritten, and the change is shown', async () => {
  await openPolicy()
  await minimum().fill('2.0.0')
  await changeElsewhere({ updateMode: 'required' })
  const notice = dialog().getByRole('alert')
  await notice.getByText('The policy has changed since you opened it').waitFor()
  await notice.getByText('Update mode: Optional → Required').waitFor()
  expect(await dialog().getByRole('button', { name: 'Save policy' }).isDisabled()).toBe(true)
  await notice.getByRole('button', { name: 'Load the current policy' }).click()
  await notice.waitFor({ state: 'hidden' })
  expect(await dialog().getByRole('radio', { name: 'Required' }).isChecked()).toBe(true)
  await minimum().fill('2.0.0')
  await dialog().getByRole('button', { name: 'Save policy' }).click()
  await dialog().waitFor({ state: 'hidden' })
  expect(await stored()).toMatchObject({
    updateMode: 'required',
    minimumSupportedVersion: '2.0.0',
  })
})

test('a change that the form has not received yet is not overwritten either', async () => {
  const faults = await interceptCalls(opened)
  await openPolicy()
  await minimum().fill('3.0.0')
  const unheard = await faults.hold('channels.policy')
  await changeElsewhere({ rollback: 'roll-forward' })
  await dialog().getByRole('button', { name: 'Save policy' }).click()
  await dialog()
    .getByRole('alert')
    .getByText(/has changed since you opened it/)
    .waitFor()
  expect(await stored()).toMatchObject({
    minimumSupportedVersion: '1.0.0',
    rollback: 'roll-forward',
  })
  await unheard.release()
  await dialog()
    .getByText(/Downgrade → Roll forward/)
    .waitFor()
})
