import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLock, IconNetwork } from '@tabler/icons-react'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { lazy, memo, type ReactNode, Suspense, useMemo, useState } from 'react'
import type { Overview } from '../../shared/console/overview.ts'
import type { PlanCalendar } from '../../shared/console/releases/plans.ts'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { LinkButton, Panel } from '../components/blocks.tsx'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded, Loading } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { CopyButton } from '../components/text/copy-button.tsx'
import { Quiet } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { OPEN_REQUESTS, PendingRequests } from '../releases/approvals/pending-requests.tsx'
import { AppList } from './app-list.tsx'
import { AttentionPanel } from './attention-panel.tsx'
import classes from './overview.module.css'
import { releaseStates } from './release-states.ts'
import { REACH_NAMES, text } from './strings.ts'

/** Milliseconds: no event tells of nodes, or of what the server could not do. */
const LOOK = 10_000

/** The first screen: what needs attention, what is live where, at what percent, and who is on it. */
export function Component() {
  const running = useServerState().state === 'running'
  const overview = useQuery(
    server.overview.get.queryOptions(undefined, { refetchInterval: running && LOOK }),
  )
  const calendar = useQuery(server.plans.calendar.queryOptions())
  usePrefetchQuery(OPEN_REQUESTS)
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <Loaded query={overview} loading={<Loading rows={3} height={160} />}>
        {(data) => (
          <Loaded query={calendar} saysAge={false} loading={<Loading rows={3} height={160} />}>
            {({ plans }) => <OverviewContent overview={data} plans={plans} />}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

interface ContentProps {
  readonly overview: Overview
  readonly plans: PlanCalendar['plans']
}

function OverviewContent({ overview, plans }: ContentProps) {
  const { apps: all, attention, telemetry, budgets } = overview
  const { may, mayInSomeApp } = useAccess()
  const apps = useMemo(() => all.filter((app) => !app.archived), [all])
  const states = useMemo(() => releaseStates(plans, attention), [plans, attention])
  const suspended = useMemo(
    () => plans.filter(({ state }) => state.status === 'suspended'),
    [plans],
  )
  const published = apps.some((app) => app.channels.some(({ releases }) => releases > 0))
  if (!mayInSomeApp('viewer')) {
    return <EmptyState icon={IconLock} title={text.noAccess} hint={text.noAccessHint} />
  }
  // Each step is for those who can take it.
  const maySetUp = apps.length === 0 ? may('administrator') : mayInSomeApp('release_manager')
  return (
    <Stack gap="lg">
      <AttentionPanel
        attention={attention}
        telemetry={telemetry}
        budgets={budgets}
        suspended={suspended}
      />
      <PendingRequests />
      {!published && maySetUp && <FirstSteps apps={apps} />}
      {apps.length > 0 && <AppList apps={apps} states={states} />}
      <Addresses addresses={overview.addresses} />
    </Stack>
  )
}

/** Where apps reach this server. */
const Addresses = memo(function Addresses({ addresses }: Pick<Overview, 'addresses'>) {
  return (
    <Panel title={text.addresses.title}>
      <Stack gap="xs">
        {addresses.map(({ url, reach }) => {
          const Icon = reach === 'network' ? IconNetwork : IconDeviceDesktop
          return (
            <Group key={url} gap="0 8px" mih={28}>
              <Icon size={16} color="var(--tidegate-quiet)" aria-hidden="true" />
              <Text ff="monospace" size="sm">
                {url}
              </Text>
              <CopyButton text={url} what={text.addresses.copy(url)} />
              <Quiet>{REACH_NAMES[reach]}</Quiet>
            </Group>
          )
        })}
      </Stack>
    </Panel>
  )
})

/** With the letters of several scripts, only for a server without apps. */
const CreateAppDialog = lazy(async () => ({
  default: (await import('../apps/create-app-dialog.tsx')).CreateAppDialog,
}))

type State = 'done' | 'now' | 'later'

/** Leads from nothing to a first release: create an app, connect it, publish. */
function FirstSteps({ apps }: { readonly apps: Overview['apps'] }) {
  const [creating, setCreating] = useState(false)
  const { may } = useAccess()
  const app = apps[0]
  const channel = app?.channels[0]
  const connected = apps.some((each) => each.channels.some(({ devices }) => devices > 0))
  return (
    <Panel flush title={text.firstSteps.title}>
      <ol className={'plain-list'}>
        <Step
          number={1}
          state={app === undefined ? 'now' : 'done'}
          title={text.firstSteps.createTitle}
          text={text.firstSteps.createText}
          action={
            may('administrator') && (
              <Group gap="xs">
                <Button onClick={() => setCreating(true)}>{text.firstSteps.createAction}</Button>
                <LinkButton to={paths.publish}>{text.firstSteps.publishAction}</LinkButton>
              </Group>
            )
          }
        />
        <Step
          number={2}
          state={app === undefined ? 'later' : connected ? 'done' : 'now'}
          title={text.firstSteps.connectTitle}
          text={text.firstSteps.connectText}
          action={
            app !== undefined && (
              <LinkButton variant="filled" to={paths.app(app.ref)}>
                {text.firstSteps.connectAction(app.name)}
              </LinkButton>
            )
          }
        />
        <Step
          number={3}
          state={app === undefined ? 'later' : 'now'}
          title={text.firstSteps.publishTitle}
          text={text.firstSteps.publishText}
          action={
            app !== undefined &&
            channel !== undefined &&
            may('release_manager', app.ref) && (
              <LinkButton
                to={paths.publishTo(app.ref, channel.name)}
                variant={connected ? 'filled' : 'default'}
              >
                {text.firstSteps.publishAction}
              </LinkButton>
            )
          }
        />
      </ol>
      {creating && (
        <Suspense>
          <CreateAppDialog opened onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Panel>
  )
}

interface StepProps {
  readonly number: number
  readonly state: State
  readonly title: string
  readonly text: string
  readonly action: ReactNode
}

function Step({ number, state, title, text: explanation, action }: StepProps) {
  return (
    <li className={classes.step} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={classes.number} data-state={state}>
        {state === 'done' ? <IconCheck size={18} aria-hidden="true" /> : number}
        {state === 'done' && <VisuallyHidden>{text.firstSteps.done}</VisuallyHidden>}
      </span>
      <div>
        <Text fw={600}>{title}</Text>
        <Quiet>{explanation}</Quiet>
      </div>
      {state === 'now' && action}
    </li>
  )
}
