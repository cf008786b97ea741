import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { mutate } from './support/api.ts'
import { openForAll } from './support/open-for-all.ts'

const Invited = z.object({ person: z.object({ id: z.string() }) })

const opened = openForAll()

beforeAll(async () => {
  await opened.goTo('People')
})

async function invite(name: string, email: string | null): Promise<string> {
  const input = { name, email, access: { server: 'viewer', apps: [] } }
  return Invited.parse(await mutate(opened, 'people.invite', input)).person.id
}

async function editEmailOf(name: string) {
  const { page } = opened
  await page.getByRole('button', { name: `Manage ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Change e-mail address' }).click()
  const form = page.getByRole('dialog', { name: `E-mail address of ${name}` })
  const field = form.getByRole('textbox', { name: 'E-mail address' })
  const close = async (button: 'Save address' | 'Cancel') => {
    await form.getByRole('button', { name: button }).click()
    await form.waitFor({ state: 'detached' })
  }
  return {
    form,
    field,
    close,
    save: () => form.getByRole('button', { name: 'Save address' }).click(),
  }
}

test('an address is edited, refused while it is none, and taken away', async () => {
  await invite('Mia', 'mia@example.com')
  const first = await editEmailOf('Mia')
  expect(await first.field.inputValue()).toBe('mia@example.com')
  await first.field.fill('mia at example.com')
  await first.save()
  await first.form.getByText('E-mail address must have the form name@example.com.').waitFor()
  await first.field.fill(' mia@studio.example ')
  await first.close('Save address')
  await opened.page.getByText('The e-mail address of Mia was saved.').waitFor()

  const second = await editEmailOf('Mia')
  expect(await second.field.inputValue()).toBe('mia@studio.example')
  await second.field.fill('')
  await second.close('Save address')
  const third = await editEmailOf('Mia')
  expect(await third.field.inputValue()).toBe('')
  await third.close('Cancel')
})

test('an address that somebody else changed meanwhile is shown before it is replaced', async () => {
  const id = await invite('Noah', null)
  const { form, field, save, close } = await editEmailOf('Noah')
  await mutate(opened, 'people.setEmail', { id, email: 'other@example.com', seen: null })
  await field.fill('mine@example.com')
  await save()
  await form.getByText(/other@example\.com/).waitFor()
  await close('Save address')
  const again = await editEmailOf('Noah')
  expect(await again.field.inputValue()).toBe('mine@example.com')
  await again.close('Cancel')
})
