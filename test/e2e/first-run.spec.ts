import { afterEach, beforeEach, expect, test } from 'vitest'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { check } from './support/device.ts'
import {
  confirmPublish,
  createApp,
  fillNewApp,
  fillRelease,
  openPublishForm,
  publish,
} from './support/steps.ts'

let opened: ReleaseConsole

beforeEach(async () => {
  // As most people have it, with what fades and slides.
  opened = await openConsole({ reducedMotion: false })
})
afterEach(() => opened?.close())

test('the first steps lead from the first start to a release that a device is offered', async () => {
  const { page, address, goTo } = opened
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.getByRole('main').getByText(address).first().waitFor()
  expect((await fetch(`${address}/healthz`)).status).toBe(200)

  await page.getByRole('main').getByRole('button', { name: 'Create app' }).click()
  await fillNewApp(page)
  await page.getByText(`${address}/u/editor/stable`).first().waitFor()

  expect(await check(address, '1.0.0', 'a-device')).toBeNull()
  await goTo('Overview')
  await page.getByRole('main').getByRole('link', { name: 'Publish a release' }).first().click()
  await fillRelease(page, '1.1.0')
  await confirmPublish(page, '1.1.0')
  expect(await check(address, '1.0.0', 'a-device')).toMatchObject({
    version: '1.1.0',
    url: 'https://downloads.example.com/1.1.0/editor.bin',
  })

  await goTo('Overview')
  const channel = page.getByRole('region', { name: /stable/ })
  await channel.getByRole('link', { name: '1.1.0' }).waitFor()
  await channel.getByRole('img', { name: /^Rollout 100%/ }).waitFor()
  await channel.getByRole('button', { name: /^Details/ }).click()
  await channel.getByText('Devices, 24 hours').waitFor()
  expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
})

test('below a running rollout, the overview shows the release for the other devices', async () => {
  const { page, goTo } = opened
  await createApp(opened)
  await publish(opened, '1.1.0')
  await openPublishForm(opened)
  await fillRelease(page, '1.2.0', 25)
  await confirmPublish(page, '1.2.0')
  await goTo('Overview')
  const live = page.getByRole('list', { name: 'Live on Editor, channel stable' })
  await live.getByRole('img', { name: /^Rollout 25%/ }).waitFor()
  expect(await live.getByRole('link').allInnerTexts()).toEqual(['1.2.0', '1.1.0'])
})
