import {
  Autocomplete,
  Button,
  Checkbox,
  Group,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import { UpdaterClient } from '../../../shared/files/updater.ts'
import { KNOWN_KINDS } from '../../../shared/names.ts'
import { CLIENT_NAMES } from '../../../shared/wording/updater-client.ts'
import { server } from '../../bridge/clients.ts'
import { nameChoices, SearchableSelect } from '../../components/list/searchable-select.tsx'
import classes from './explain.module.css'
import { explainText as text } from './strings.ts'
import type { Assumption } from './use-explanation.ts'

interface Props {
  readonly device: DeviceDetail
  readonly assumption: Assumption
  /** The field that is not valid, and what is wrong with it, as a sentence. */
  readonly invalid: 'version' | 'bundle' | 'system' | undefined
  readonly issue: string | undefined
  readonly onChange: (assumption: Assumption) => void
}

const CLIENTS = UpdaterClient.options.map((value) => ({ value, label: CLIENT_NAMES[value] }))

/** As what the device asks for which the decision is explained. */
export function ExplainFields({ device, assumption, invalid, issue, onChange }: Props) {
  const apps = useQuery(server.apps.names.queryOptions())
  const named = apps.data?.find(({ ref }) => ref === device.app)?.channels ?? []
  const channel = assumption.channel ?? device.channel ?? ''
  const { version, client, bundle = '', system = '', manual = false } = assumption
  const isAssumed = Object.values(assumption).some((each) => each !== undefined && each !== '')
  const typed = (field: Props['invalid'], className = ''): Partial<TextInputProps> => ({
    className,
    'aria-invalid': invalid === field && issue !== undefined,
    'aria-describedby': 'explain-issue',
    spellCheck: false,
    autoComplete: 'off',
  })
  return (
    <search aria-label={text.form}>
      <Group gap="xs" align="end">
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
          {...typed('version', classes.version)}
          label={text.version}
          value={version ?? (device.version === OTHER ? '' : device.version)}
          onChange={({ currentTarget }) =>
            onChange({ ...assumption, version: currentTarget.value })
          }
        />
        <SearchableSelect
          w={152}
          className={classes.channel ?? ''}
          label={text.client}
          value={client ?? 'update_check'}
          choices={CLIENTS}
          onChange={(name) => onChange({ ...assumption, client: clientNamed(name) })}
        />
      </Group>
      <Group gap="xs" align="end" mt="xs">
        <Autocomplete
          className={classes.bundle ?? ''}
          label={text.bundle}
          placeholder={text.noBundle}
          data={[...KNOWN_KINDS]}
          value={bundle}
          aria-invalid={invalid === 'bundle'}
          aria-describedby="explain-issue"
          spellCheck={false}
          autoComplete="off"
          onChange={(kind) => onChange({ ...assumption, bundle: kind })}
        />
        <TextInput
          {...typed('system', classes.bundle)}
          label={text.system}
          placeholder={text.noSystem(device.labels.os)}
          value={system}
          onChange={({ currentTarget }) => onChange({ ...assumption, system: currentTarget.value })}
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
      <Checkbox
        mt="xs"
        size="xs"
        label={text.manual}
        checked={manual}
        onChange={({ currentTarget }) =>
          onChange({ ...assumption, manual: currentTarget.checked ? true : undefined })
        }
      />
      <p id="explain-issue" className={classes.issue} role="alert">
        {issue}
      </p>
    </search>
  )
}

/** Undefined for the update check, with which apps ask by default. */
function clientNamed(name: string): UpdaterClient | undefined {
  return UpdaterClient.exclude(['update_check']).safeParse(name).data
}
