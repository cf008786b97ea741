import { Button, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Overview } from '../../shared/console/overview.ts'
import { CreateAppDialog } from '../apps/create-app-dialog.tsx'
import { Panel } from '../components/panel.tsx'
import { paths } from '../paths.ts'
import classes from './overview.module.css'

type State = 'done' | 'now' | 'later'

/** Leads from nothing to a first release: create an app, connect it, publish. */
export function FirstSteps({ apps }: { readonly apps: Overview['apps'] }) {
  const [creating, setCreating] = useState(false)
  const app = apps[0]
  const channel = app?.channels[0]
  const connected = apps.some((each) => each.channels.some(({ devices }) => devices > 0))
  return (
    <Panel flush title="First steps">
      <ol className={classes.steps}>
        <Step
          number={1}
          state={app === undefined ? 'now' : 'done'}
          title="Create an app"
          text="An app has a reference that its update address contains, and a channel named stable."
          action={<Button onClick={() => setCreating(true)}>Create app</Button>}
        />
        <Step
          number={2}
          state={app === undefined ? 'later' : connected ? 'done' : 'now'}
          title="Connect the app"
          text="Copy the updater configuration into the app, so that it asks this server for updates."
          action={
            app !== undefined && (
              <Button component={Link} to={paths.app(app.ref)}>
                Connect {app.name}
              </Button>
            )
          }
        />
        <Step
          number={3}
          state={app === undefined ? 'later' : 'now'}
          title="Publish a release"
          text="Drop the built files or an updater manifest, choose a percentage, and publish."
          action={
            app !== undefined &&
            channel !== undefined && (
              <Button
                component={Link}
                to={paths.publishTo(app.ref, channel.name)}
                variant={connected ? 'filled' : 'default'}
              >
                Publish a release
              </Button>
            )
          }
        />
      </ol>
      <CreateAppDialog opened={creating} onClose={() => setCreating(false)} />
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

function Step({ number, state, title, text, action }: StepProps) {
  return (
    <li className={classes.step} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={classes.number} data-state={state}>
        {state === 'done' ? <IconCheck size={18} aria-hidden="true" /> : number}
        {state === 'done' && <VisuallyHidden>Done</VisuallyHidden>}
      </span>
      <div>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {state === 'now' && action}
    </li>
  )
}
