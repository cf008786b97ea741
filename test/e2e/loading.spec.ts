import { beforeAll, test } from 'vitest'
import { type Faults, interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'

const opened = openForAll()
let faults: Faults

beforeAll(async () => {
  faults = await interceptCalls(opened)
})

const main = () => opened.page.getByRole('main')

test('a list that cannot be loaded shows an error, and loads after a retry', async () => {
  const keys = await faults.hold('keys.list')
  await opened.goTo('API keys')
  await keys.asked()
  await keys.refuse()
  // The page tries three times by itself.
  await keys.asked(3)
  const retry = main().getByRole('alert').getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  await keys.release()
  await retry.click()
  await main().getByRole('heading', { name: 'No API keys yet' }).waitFor()
})
