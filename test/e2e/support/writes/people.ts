import { setTimeout } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import type { SignedIn } from '../../../../src/server/people/account.ts'
import { HOME, OTHER_PASSWORD, PASSWORD } from '../../../support/builders/people.ts'
import type { World } from './world.ts'
import { copied, type Open, type Write, type Writes } from './write.ts'

/** What is done with somebody's account from the list; `prepare` changes it first. */
function manage(
  action: string,
  write: Omit<Write, 'at'>,
  prepare: (world: World, person: SignedIn) => Promise<unknown> = async () => {},
): Write {
  let name = ''
  return {
    ...write,
    async at(world) {
      const person = await world.person()
      name = person.session.account.name
      await prepare(world, person)
      return '#/people'
    },
    async open(world) {
      await world.main.getByRole('button', { name: `Manage ${name}`, exact: true }).click()
      await world.page.getByRole('menuitem', { name: action, exact: true }).click()
      await write.open?.(world)
    },
  }
}

/** Turns on an authenticator app for somebody. */
async function enrol({ running: { people } }: World, { session }: SignedIn): Promise<void> {
  const { enrolment, secret } = people.own.beginTotp(session)
  const code = new TOTP({ secret }).generate()
  await people.own.confirmTotp(session, { enrolment, code, password: PASSWORD }, HOME)
}

const account = () => '#/account'
const password: Open = ({ field }) => field('Your password').fill(PASSWORD)

/** Signs in elsewhere as the person of the browser. */
const signedInTwice = async ({ running }: World) => {
  await running.people.signIn({ name: 'Ada', password: PASSWORD }, HOME)
  return '#/account'
}

/** Other people's accounts. */
export const PEOPLE: Writes = {
  'people.invite': {
    at: () => '#/people',
    async open({ button, field, name }) {
      await button('Invite person').click()
      await field('Name').fill(name())
    },
    send: 'Create invitation',
    done: /#\/link\//,
    leave: copied,
  },
  'people.createLink': manage('Reset password', {
    send: 'Create reset link',
    done: /#\/link\//,
    leave: copied,
  }),
  'people.setAccess': manage('Change roles', {
    async open({ page }) {
      await page.getByRole('combobox', { name: 'Role on this server' }).click()
      await page.getByRole('option', { name: 'Viewer' }).click()
    },
    send: 'Save roles',
    done: /^The roles of n\d+ were changed\.$/,
  }),
  'people.setEmail': manage('Change e-mail address', {
    open: ({ field }) => field('E-mail address').fill('somebody@example.com'),
    send: 'Save address',
    done: /^The e-mail address of n\d+ was saved\.$/,
  }),
  'people.endSessions': manage('Show sessions', {
    send: 'End 1 session',
    done: /^Ended 1 session of n\d+\.$/,
  }),
  'people.resetTwoFactor': manage(
    'Reset two-factor authentication',
    { send: 'Reset two-factor', done: /^Two-factor authentication of n\d+ was reset\.$/ },
    enrol,
  ),
  'people.setDisabled': manage('Disable', {
    send: 'Disable account',
    done: /^n\d+ was disabled\.$/,
  }),
  'people.setDisabled, back': manage(
    'Enable',
    { send: 'Enable account', done: /^n\d+ was enabled\.$/ },
    ({ call }, { session }) =>
      call('people.setDisabled', { id: session.account.id, disabled: true }),
  ),
  'people.remove': manage('Delete', {
    async open({ dialog }) {
      const [, name = ''] = /Delete (n\d+)/.exec(await dialog.innerText()) ?? []
      await dialog.getByRole('textbox').fill(name)
    },
    send: 'Delete account',
    done: /^n\d+ was deleted\.$/,
  }),
}

/** The own account, in this order: the later ones need the earlier ones. */
export const OWN_ACCOUNT: Writes = {
  'own.setEmail': {
    at: account,
    open: ({ main }) => main.getByLabel('E-mail address').fill('ada@example.com'),
    isOnScreen: true,
    send: 'Save address',
    done: 'Your e-mail address was saved.',
  },
  'own.notifications.choose': {
    at: account,
    open: ({ main }) => main.getByRole('checkbox', { name: 'Quiet hours' }).check(),
    isOnScreen: true,
    send: 'Save notifications',
    done: 'Your notifications were saved.',
    audited: 0,
  },
  'own.endSession': {
    at: signedInTwice,
    isOnScreen: true,
    send: `End the session at ${HOME.address}`,
    done: 'The session was ended.',
  },
  'own.endOtherSessions': {
    // The one in which the account was made.
    at: account,
    open: ({ main }) => main.getByRole('button', { name: /^End \d+ other session/ }).click(),
    send: /^End \d+ other session/,
    done: /^Ended \d+ session/,
  },
  'own.decideSignInCode': {
    async at({ running: { people } }) {
      const { deviceCode, request } = people.codes.begin('build-7', HOME)
      const poll = async (): Promise<void> => {
        const { state } = await people.codes.poll(deviceCode, HOME)
        await setTimeout(200)
        if (state === 'pending') await poll()
      }
      void poll().catch(() => {})
      return `#/command-line?${request.userCode}`
    },
    async open({ page, main, button }) {
      await main.getByRole('textbox', { name: 'Code' }).fill(page.url().split('?').at(-1) ?? '')
      await button('Continue').click()
    },
    isOnScreen: true,
    send: 'Confirm sign-in',
    done: 'Sign-in confirmed',
  },
  'own.beginTotp': {
    at: account,
    isOnScreen: true,
    send: 'Set up authenticator app',
    done: 'Set up an authenticator app',
    audited: 0,
    leave: ({ dialog }) => dialog.getByRole('button', { name: 'Cancel' }).click(),
  },
  'own.confirmTotp': {
    at: account,
    async open({ button, field, dialog }) {
      await button('Set up authenticator app').click()
      const secret = (await dialog.getByRole('region', { name: 'Key' }).innerText()).trim()
      await field('Code from the app').fill(new TOTP({ secret }).generate())
      await field('Your password').fill(PASSWORD)
    },
    send: 'Turn on',
    done: 'Save your recovery codes',
    leave: copied,
  },
  'own.replaceRecoveryCodes': {
    at: account,
    async open(world) {
      await world.button('Create new recovery codes').click()
      await password(world)
    },
    send: 'Create codes',
    done: 'Save your recovery codes',
    leave: copied,
  },
  'own.disableTotp': {
    at: account,
    async open(world) {
      await world.button('Turn off').click()
      await password(world)
    },
    send: 'Turn off',
    done: 'Two-factor authentication was turned off.',
  },
  'own.changePassword': {
    at: account,
    async open({ button, field }) {
      await button('Change password').click()
      await field('Current password').fill(PASSWORD)
      await field('New password').fill(OTHER_PASSWORD)
    },
    send: 'Change password',
    done: 'Your password was changed.',
  },
}
