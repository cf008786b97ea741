import { expect, test } from 'vitest'
import { publishByApi, SHA512 } from './support/api.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { goToAddress } from './support/release-console.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

const artifact = (platform: string, version: string) => ({
  ...{ platform, arch: 'x86_64', sha512: SHA512 },
  url: `https://downloads.example.com/${version}/editor-${platform}.bin`,
})

test('a release is checked on request, and each finding leads to its devices', async () => {
  const { page, address } = opened
  await createApp(opened)
  await publishByApi(opened, '1.0.0', {
    artifacts: [artifact('linux', '1.0.0'), artifact('windows', '1.0.0')],
  })
  await check(address, '1.0.0', 'one', { target: 'linux/x86_64' })
  for (const device of ['two', 'three']) {
    await check(address, '1.0.0', device, { target: 'windows/x86_64' })
  }
  await publishByApi(opened, '1.1.0', { artifacts: [artifact('linux', '1.1.0')], rolloutPct: 0 })
  await goToAddress(page, '/releases/editor/stable/1.1.0')
  const panel = page.getByRole('region', { name: 'Preflight' })
  await panel.getByRole('button', { name: 'Run preflight' }).click()
  await panel.getByText('2 devices will refuse 1.1.0: no file (2)').waitFor()
  expect(await panel.getByRole('status').textContent()).toContain('1 device will install it')
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
  const again = async (link: string) => {
    await page.goBack()
    await panel.getByRole('button', { name: 'Run preflight' }).click()
    await panel.getByRole('link', { name: link }).click()
  }
  await panel.getByRole('link', { name: 'Explain' }).click()
  await page.getByRole('heading', { level: 1, name: /two|three/ }).waitFor()
  expect(page.url()).toContain('channel=stable&client=update_check')
  await again('2 devices')
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  expect(page.url()).toContain('platform=windows&arch=x86_64&version=1.0.0')
  await again('Add a file for these devices')
  await page.waitForURL(/from=stable&version=1\.1\.0/)
})
