import { fillArtifact } from '../../../e2e/support/steps.ts'
import { below, bottomOf, click, clicked, type Shot } from './shot.ts'

/** Rollout plans, their calendar, and the health of releases. */
export const PLANS: readonly Shot[] = [
  below('publish-plan', '/releases/publish?app=editor&channel=stable', 'Rollout'),
  {
    name: 'publish-plan-custom',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      await page.getByRole('radio', { name: 'Cautious week' }).check()
      await click(page, 'Customize steps')
      await page.getByRole('button', { name: 'Add step' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'publish-plan-below',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      await page.getByRole('radio', { name: 'Cautious week' }).check()
      await click(page, 'Customize steps')
      await bottomOf(page, 'Rollout')
    },
  },
  {
    name: 'publish-plan-devices',
    path: '/releases/publish?app=viewer&channel=stable',
    async prepare(page) {
      await page.getByLabel('Version').fill('2.5.0')
      await fillArtifact(page, '2.5.0')
      await page.getByRole('radio', { name: 'Cautious week' }).check()
      await page.getByText('about').first().waitFor()
      await bottomOf(page, 'Rollout')
    },
  },
  {
    name: 'publish-plan-refused',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      await page.getByRole('radio', { name: 'My computer first' }).check()
      await page.getByText('This plan cannot be set').waitFor()
      await bottomOf(page, 'Rollout')
    },
  },
  {
    name: 'publish-plan-confirm',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      await page.getByLabel('Version').fill('2.5.0')
      await fillArtifact(page, '2.5.0')
      await click(page, 'Publish')
      await page.getByText('about').first().waitFor()
    },
  },
  { name: 'plan-release', path: '/releases/editor/stable/2.4.0' },
  below('plan-release-below', '/releases/editor/stable/2.4.0', 'Rollout plan'),
  {
    name: 'plan-edit',
    path: '/releases/editor/stable/2.4.0',
    prepare: async (page) => {
      await click(page, 'Edit plan')
      await page.getByText('Crash-free sessions at least').first().scrollIntoViewIfNeeded()
    },
  },
  { name: 'plan-suspended', path: '/releases/viewer/stable/1.2.0' },
  { name: 'plan-stopped', path: '/releases/viewer/stable/1.1.0' },
  below('plan-stopped-below', '/releases/viewer/stable/1.1.0', 'Rollout plan'),
  {
    name: 'plan-stopped-resume',
    path: '/releases/viewer/stable/1.1.0',
    async prepare(page) {
      await click(page, 'Resume 1.1.0')
      await page.getByRole('dialog').waitFor()
    },
  },
  clicked('plan-stopped-audit', '/audit?search=1.1.0', /^Details: Stopped plan/),
  {
    name: 'plan-set',
    path: '/releases/editor/stable/2.3.0',
    async prepare(page) {
      await click(page, 'Set plan')
      await page.getByText('at the earliest').first().waitFor()
    },
  },
  clicked('plan-suspend', '/releases/editor/stable/2.4.0', 'Suspend plan'),
  { name: 'health', path: '/releases/viewer/stable/1.0.0' },
  { name: 'health-devices', path: '/devices?app=viewer&release=stable%2F1.0.0&health=reported' },
  { name: 'health-device', path: '/devices/viewer/viewer-9' },
  {
    name: 'approval-plan',
    path: '/approvals',
    async prepare(page) {
      await page.getByRole('link', { name: 'Roll out 2.0.0-beta.1 by a plan' }).click()
      await page.getByText('at the earliest').first().waitFor()
    },
  },
  { name: 'calendar', path: '/calendar' },
  clicked('calendar-freeze', '/calendar', 'Add freeze'),
  below('calendar-below', '/calendar', 'Freezes'),
]
