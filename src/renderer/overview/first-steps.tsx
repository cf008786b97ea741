import { Button, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Overview } from '../../shared/console/overview.ts'
import { CreateAppDialog } from '../apps/create-app-dialog.tsx'
import { useAccess } from '../bridge/access.ts'
import { Panel } from '../components/panel.tsx'
import { Quiet } from '../components/text/quiet.tsx'
import { paths } from '../paths.ts'
import classes from './overview.module.css'
import { text } from './strings.ts'

type State = 'done' | 'now' | 'later'

/** Leads from nothing to a first release: create an app, connect it, publish. */
export function FirstSteps({ apps }: { readonly apps: Overview['apps'] }) {
  const [creating, setCreating] = useState(false)
  const { may } = useAccess()
  const app = apps[0]
  const channel = app?.channels[0]
  const connected = apps.some((each) => each.channels.some(({ devices }) => devices > 0))
  return (
    <Panel flush title={text.firstSteps.title}>
      <ol className={classes.steps}>
        <Step
          number={1}
          state={app === undefined ? 'now' : 'done'}
          title={text.firstSteps.createTitle}
          text={text.firstSteps.createText}
          action={
            may('administrator') && (
              <Button onClick={() => setCreating(true)}>{text.firstSteps.createAction}</Button>
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
              <Button component={Link} to={paths.app(app.ref)}>
                {text.firstSteps.connectAction(app.name)}
              </Button>
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
              <Button
                component={Link}
                to={paths.publishTo(app.ref, channel.name)}
                variant={connected ? 'filled' : 'default'}
              >
                {text.firstSteps.publishAction}
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
