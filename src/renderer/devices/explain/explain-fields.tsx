import { Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/names.ts'
import { server } from '../../bridge/clients.ts'
import { nameChoices } from '../../components/list/app-choices.ts'
import { SearchableSelect } from '../../components/list/searchable-select.tsx'
import { explainText as text } from '../strings.ts'
import classes from './explain.module.css'
import type { Assumption } from './use-explanation.ts'

interface Props {
  readonly device: DeviceDetail
  readonly assumption: Assumption
  /** What is wrong with the version, as a sentence. */
  readonly issue: string | undefined
  readonly onChange: (assumption: Assumption) => void
}

/** The channel and the version that the decision is explained for. */
export function ExplainFields({ device, assumption, issue, onChange }: Props) {
  const apps = useQuery(server.apps.names.queryOptions())
  const named = apps.data?.find(({ ref }) => ref === device.app)?.channels ?? []
  const channel = assumption.channel ?? device.channel ?? ''
  const isAssumed = assumption.channel !== undefined || assumption.version !== undefined
  return (
    <search aria-label={text.form}>
      <Group gap="xs" align="end" wrap="nowrap">
        <SearchableSelect
          w={128}
          className={classes.channel ?? ''}
          label={text.channel}
          value={channel}
          choices={nameChoices(named)}
          onChange={(name) =>
            onChange({ ...assumption, channel: name === device.channel ? undefined : name })
          }
        />
        <TextInput
          className={classes.version}
          label={text.version}
          value={assumption.version ?? (device.version === OTHER ? '' : device.version)}
          aria-invalid={issue !== undefined}
          aria-describedby="explain-issue"
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) =>
            onChange({ ...assumption, version: currentTarget.value })
          }
        />
        <Button
          variant="subtle"
          className={`${classes.act} ${classes.reset}`}
          data-shown={isAssumed}
          onClick={() => onChange({})}
        >
          {text.reset}
        </Button>
      </Group>
      <p id="explain-issue" className={classes.issue} role="alert">
        {issue}
      </p>
    </search>
  )
}
