import { beforeAll, expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})

const main = () => opened.page.getByRole('main')
const table = () => main().getByRole('table', { name: 'Steps of rollout plans by day' })
const freezes = () => main().getByRole('table', { name: 'Freezes' })

/** A day in the time zone of this computer, so many days from now. */
function day(later: number): string {
  const date = new Date()
  date.setDate(date.getDate() + later)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

test('without plans the calendar says what appears there', async () => {
  await opened.goTo('Calendar')
  await main().getByText('No rollout plans').waitFor()
  await main().getByText('No freezes').waitFor()
})

test('the steps of a plan stand on their days', async () => {
  const steps = [
    { rolloutPct: 10, soakHours: 24 },
    { rolloutPct: 100, soakHours: 24 },
  ]
  await publishByApi(opened, '1.0.0', { plan: { steps } })
  await table().getByRole('rowheader', { name: '1.0.0' }).waitFor()
  await main().getByRole('button', { name: 'Later' }).click()
  await main().getByRole('button', { name: 'Earlier' }).click()
  const next = main().getByRole('table', { name: 'Next steps' })
  await next.getByText('Everyone').waitFor()
  await next.getByText('1 of 2 steps applied').waitFor()
  await next.getByText('at the earliest').waitFor()
})

test('a freeze puts the next step off until it is removed', async () => {
  const { page } = opened
  const next = main().getByRole('table', { name: 'Next steps' }).locator('time')
  const before = await next.getAttribute('datetime')
  await main().getByRole('button', { name: 'Add freeze' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a freeze' })
  await dialog.getByLabel('Name').fill('Holidays')
  await dialog.getByLabel('First day').fill(day(0))
  await dialog.getByLabel('Last day').fill(day(-1))
  await dialog.getByText('Must not be before the first day').waitFor()
  await dialog.getByLabel('Last day').fill(day(5))
  await dialog.getByRole('button', { name: 'Add freeze' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await freezes().getByText('Holidays').waitFor()
  await table().getByRole('rowheader', { name: 'Freezes of editor' }).waitFor()
  await table().getByText('Holidays').first().waitFor()
  // The freeze and the steps are asked for apart.
  const later = async () =>
    Date.parse(`${await next.getAttribute('datetime')}`) - Date.parse(`${before}`)
  await expect.poll(later).toBeGreaterThan(3 * 86_400_000)

  await main().getByRole('button', { name: 'Remove freeze Holidays of editor' }).click()
  const question = page.getByRole('dialog', { name: 'Remove a freeze of editor' })
  await question.getByRole('button', { name: 'Remove freeze' }).click()
  await question.waitFor({ state: 'hidden' })
  await main().getByText('No freezes').waitFor()
  await expect.poll(() => next.getAttribute('datetime')).toBe(before)
})
