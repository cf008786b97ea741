import { webhookInput } from '../../../support/servers/receiver.ts'
import type { World } from './world.ts'
import { copied, type Open, type Write, type Writes } from './write.ts'

const appPage = async (world: World) => `#/apps/${await world.app()}`

const channel = (open: Open, rest: Pick<Write, 'send' | 'done'>): Write => ({
  at: appPage,
  open,
  ...rest,
})

async function webhook({ call, name }: World, more: object = {}): Promise<string> {
  const made = await call('webhooks.create', { ...webhookInput({ name: name() }), ...more })
  return (made as { readonly webhook: { readonly id: string } }).webhook.id
}

const webhookPage = async (world: World) => `#/webhooks/${await webhook(world)}`

/** Apps, channels, keys, freezes and webhooks. */
export const CATALOG: Writes = {
  'apps.create': {
    at: () => '#/apps',
    async open({ button, field, name }) {
      await button('Create app').click()
      await field('Name').fill(`New ${name()}`)
    },
    send: 'Create app',
    done: /^New n\d+ was created\.$/,
  },
  'apps.rename': {
    at: appPage,
    async open({ item, field }) {
      await item('Manage', 'Rename')
      await field('Name').fill('Renamed app')
    },
    send: 'Rename',
    done: 'Renamed to Renamed app.',
  },
  'apps.setArchived': {
    at: appPage,
    open: ({ item }) => item('Manage', 'Archive'),
    send: 'Archive',
    done: / was archived\.$/,
  },
  'apps.setArchived, back': {
    async at({ app, call }) {
      const ref = await app()
      await call('apps.setArchived', { ref, archived: true })
      return `#/apps/${ref}`
    },
    open: ({ item }) => item('Manage', 'Restore'),
    send: 'Restore',
    done: / was restored\.$/,
  },
  'apps.remove': {
    at: appPage,
    async open({ item, dialog, page }) {
      await item('Manage', 'Delete')
      await dialog.getByRole('textbox').fill(page.url().split('/').at(-1) ?? '')
    },
    send: /^Delete n\d+$/,
    done: / was deleted\.$/,
  },
  'apps.setProving': {
    at: appPage,
    async open({ button, field }) {
      await button('Edit proof settings').click()
      await field('Allowed hosts').fill('downloads.example')
    },
    send: 'Save settings',
    done: /^The proof settings of n\d+ were saved\.$/,
  },
  'apps.setFreezes': {
    async at({ app }) {
      await app()
      return '#/calendar'
    },
    async open({ button, field }) {
      await button('Add freeze').click()
      await field('Name').fill('Holidays')
    },
    send: 'Add freeze',
    done: /^Freeze of [\w-]+ added$/,
  },
  'apps.setFreezes, one less': {
    async at({ app, call }) {
      const freeze = {
        name: 'Fair',
        firstDay: '2031-01-02',
        lastDay: '2031-01-03',
        timeZone: 'UTC',
      }
      await call('apps.setFreezes', { app: await app(), freezes: [freeze], seen: [] })
      return '#/calendar'
    },
    open: ({ main }) => main.getByRole('button', { name: /^Remove freeze Fair of/ }).click(),
    send: 'Remove freeze',
    done: /^Freeze of n\d+ removed$/,
  },
  'channels.create': channel(
    async ({ button, field }) => {
      await button('Create channel').click()
      await field('Name').fill('nightly')
    },
    { send: 'Create channel', done: 'Channel nightly was created.' },
  ),
  'channels.setPolicy': channel(
    async ({ item, dialog }) => {
      await item('Manage channel stable', 'Edit policy')
      await dialog.getByRole('checkbox', { name: 'Offer staged releases to manual checks' }).check()
    },
    { send: 'Save policy', done: 'The policy of channel stable was saved.' },
  ),
  'channels.remove': {
    async at({ app, call }) {
      const ref = await app()
      await call('channels.create', { app: ref, name: 'nightly' })
      return `#/apps/${ref}`
    },
    async open({ item, dialog }) {
      await item('Manage channel nightly', 'Delete')
      await dialog.getByRole('textbox').fill('nightly')
    },
    send: 'Delete nightly',
    done: 'Channel nightly was deleted.',
  },
  'keys.mint': {
    at: () => '#/keys',
    async open({ button, field, dialog, name }) {
      await button('Create key').click()
      await field('Name').fill(name())
      await dialog.getByRole('checkbox', { name: 'Read' }).check()
    },
    send: 'Create key',
    done: 'Copy your API key',
    leave: copied,
  },
  'keys.revoke': {
    async at({ call }) {
      await call('keys.mint', { name: 'pipeline', scopes: ['read'], app: null })
      return '#/keys'
    },
    open: ({ button }) => button('Revoke key pipeline').click(),
    send: 'Revoke key',
    done: /^Key pipeline was revoked\.$/,
  },
  'webhooks.create': {
    at: () => '#/webhooks',
    async open({ button, field, name }) {
      await button('Create webhook').click()
      await field('Name').fill(name())
      await field('URL').fill('https://hooks.example.com/two')
    },
    send: 'Create webhook',
    done: /^whsec_/,
    leave: copied,
  },
  'webhooks.change': {
    at: webhookPage,
    async open({ button, field }) {
      await button('Edit').click()
      await field('Name').fill('Other name')
    },
    send: 'Save webhook',
    done: 'Webhook Other name was saved.',
  },
  'webhooks.setDisabled': {
    at: webhookPage,
    open: ({ button }) => button('Disable').click(),
    send: 'Disable webhook',
    done: / was disabled\.$/,
  },
  'webhooks.setDisabled, back': {
    async at(world) {
      const id = await webhook(world)
      await world.call('webhooks.setDisabled', { id, disabled: true })
      return `#/webhooks/${id}`
    },
    isOnScreen: true,
    send: 'Enable',
    done: / was enabled\.$/,
  },
  'webhooks.test': {
    at: webhookPage,
    isOnScreen: true,
    send: 'Send test event',
    done: 'The test event was queued.',
    audited: 0,
  },
  'webhooks.redeliver': {
    async at(world) {
      const id = await webhook(world, { url: 'http://localhost:9/hook' })
      await world.call('webhooks.test', { id })
      return `#/webhooks/${id}`
    },
    isOnScreen: true,
    send: /^Redeliver/,
    done: 'The delivery was queued again.',
  },
  'webhooks.rotateSecret': {
    at: webhookPage,
    open: ({ button }) => button('Rotate secret').click(),
    send: 'Rotate secret',
    done: /^whsec_/,
    leave: copied,
  },
  'webhooks.remove': {
    at: webhookPage,
    open: ({ button }) => button('Delete').click(),
    send: 'Delete webhook',
    done: / was deleted\.$/,
  },
}
