import { DraftBody } from '../../../../src/shared/releases/draft.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { releaseBody } from '../api.ts'
import { check } from '../device.ts'
import { chooseRollout, conditionField, fillRelease } from '../steps.ts'
import type { World } from './world.ts'
import type { Open, Writes } from './write.ts'

const VERSION = '1.0.0'
export const placeOf = (app: string) => ({ app, channel: 'stable', version: VERSION })

/** The page of a release of an app of its own, which a tenth of its devices are offered; `prepare` changes it first. */
export function released(
  prepare: (world: World, app: string) => Promise<unknown> = async () => {},
) {
  return async (world: World): Promise<string> => {
    const app = await world.release(VERSION, { rolloutPct: 10 })
    await prepare(world, app)
    return `#/releases/${app}/stable/${VERSION}`
  }
}

/** A release with a plan. */
const planned = (then: (world: World, app: string) => Promise<unknown> = async () => {}) =>
  released(async (world, app) => {
    await world.call('plans.set', { ...placeOf(app), plan: rolloutPlan([[50, 24]]) })
    await then(world, app)
  })

export const press =
  (name: string): Open =>
  ({ button }) =>
    button(name).click()

const drafted = async ({ running, app }: World): Promise<string> => {
  const ref = await app()
  const draft = releaseBody(VERSION, { app: ref, notes: 'Notes' })
  await running.updates.putDraft(PRINCIPAL, DraftBody.parse(draft))
  return `#/releases/drafts/${ref}/stable/${VERSION}`
}

const onDevice = async ({ running, address, release, page }: World): Promise<string> => {
  const app = await release(VERSION)
  await check(address, '0.9.0', 'one', { app })
  await running.telemetry.settled()
  await page.getByRole('main').waitFor()
  return `#/devices/${app}/one`
}

/** Releases, their rollouts, plans, drafts and devices. */
export const RELEASES: Writes = {
  'releases.publish': {
    at: async ({ app }) => `#/releases/publish?app=${await app()}&channel=stable`,
    async open({ page, button }) {
      await fillRelease(page, VERSION)
      await button('Publish').click()
    },
    send: 'Publish 1.0.0',
    done: /^1\.0\.0 published on n\d+\/stable$/,
  },
  'releases.changeServing, raise': {
    at: released(),
    async open({ button }) {
      await button('50%').click()
      await button('Raise to 50%').click()
    },
    send: 'Raise to 50%',
    done: 'Rollout of 1.0.0 raised to 50%',
  },
  'releases.changeServing, targets': {
    at: released(),
    async open({ button, page }) {
      await button('Edit targets').click()
      await button('Add label').click()
      await conditionField(page, 'Key of label 1').fill('ring')
      await conditionField(page, 'Values of label 1').fill('beta')
      await page.keyboard.press('Enter')
      await button('Change targets').click()
    },
    send: 'Change targets',
    done: 'Targets of 1.0.0 changed',
  },
  'releases.changeServing, roll back': {
    at: released(),
    open: press('Roll back 1.0.0'),
    send: 'Roll back 1.0.0',
    done: '1.0.0 rolled back',
  },
  'releases.changeServing, resume': {
    at: released(({ call }, app) => call('releases.stop', placeOf(app))),
    open: press('Resume 1.0.0'),
    send: 'Resume 1.0.0',
    done: '1.0.0 resumed',
  },
  'releases.explainStop': {
    at: released(),
    async open({ button, field }) {
      await button('Stop 1.0.0').click()
      await field('Reason').fill('It crashes at start')
    },
    send: 'Save reason',
    done: 'Reason for stopping 1.0.0 saved',
  },
  'releases.undoStop': {
    at: released(({ call }, app) => call('releases.stop', placeOf(app))),
    isOnScreen: true,
    send: 'Undo stop',
    done: 'Undone: 1.0.0 is served as before',
  },
  'releases.prove': {
    at: released(),
    isOnScreen: true,
    send: 'Prove artifacts',
    done: /is not an allowed host of the app/,
    audited: 0,
  },
  'plans.set': {
    at: released(),
    open: press('Set plan'),
    send: 'Set plan',
    done: 'Rollout plan of 1.0.0 set',
  },
  'plans.suspend': {
    at: planned(),
    open: press('Suspend plan'),
    send: 'Suspend plan',
    done: 'Plan of 1.0.0 suspended',
  },
  'plans.resume': {
    at: planned(({ call }, app) => call('plans.suspend', placeOf(app))),
    open: press('Resume plan'),
    send: 'Resume plan',
    done: 'Plan of 1.0.0 resumed',
  },
  'plans.remove': {
    at: planned(),
    open: press('Remove plan'),
    send: 'Remove plan',
    done: 'Plan of 1.0.0 removed',
  },
  'drafts.save': {
    at: drafted,
    open: ({ page }) => page.getByRole('textbox', { name: 'Release notes' }).fill('Other notes'),
    isOnScreen: true,
    send: 'Save draft',
    done: 'Draft of 1.0.0 saved',
  },
  'drafts.save, a new one': {
    at: async ({ app }) => `#/releases/publish?app=${await app()}&channel=stable`,
    // Another one than the row before has saved.
    open: ({ page }) => fillRelease(page, '1.5.0'),
    isOnScreen: true,
    send: 'Save draft',
    done: 'Draft of 1.5.0 saved',
  },
  'drafts.publish': {
    at: drafted,
    async open({ page, button }) {
      await page.getByRole('textbox', { name: 'Release notes' }).fill('Other notes')
      await chooseRollout(page, 'Everyone at once')
      await button('Publish').click()
    },
    send: 'Publish 1.0.0',
    done: /^1\.0\.0 published on n\d+\/stable$/,
  },
  'drafts.discard': {
    at: drafted,
    open: press('Delete draft'),
    send: 'Delete draft',
    done: 'Draft of 1.0.0 deleted',
  },
  'devices.forget': {
    at: onDevice,
    open: press('Forget device'),
    send: 'Forget device',
    done: 'Forgot device one',
  },
  'channels.setEarlyAccess': {
    at: onDevice,
    isOnScreen: true,
    send: 'Add to early access',
    done: 'Added the device to early access on stable',
  },
}
