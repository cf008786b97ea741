import { Radio, Stack } from '@mantine/core'
import { IconNetwork } from '@tabler/icons-react'
import { Address, type SettingsView } from '../../shared/console/settings/settings.ts'
import { Notice } from '../components/blocks.tsx'
import { TextField } from '../components/text-fields.tsx'
import { NumberField } from './fields.tsx'
import { readNumber, sentence } from './read-section.ts'
import { SectionForm } from './section-form.tsx'
import { text } from './strings.ts'
import { useSection } from './use-section.ts'

const REACH = { machine: '127.0.0.1', network: '0.0.0.0' } as const
type Reach = keyof typeof REACH | 'one'

interface Draft {
  readonly reach: Reach
  readonly host: string
  readonly port: string
}

const toDraft = ({ host, port }: Address): Draft => {
  const reach =
    host === REACH.machine ? 'machine' : host === REACH.network ? 'network' : ('one' as const)
  return { reach, host: reach === 'one' ? host : '', port: `${port}` }
}
const toInput = ({ reach, host, port }: Draft) => ({
  host: reach === 'one' ? host : REACH[reach],
  port: readNumber(port),
})

/** Where the server listens, and who can reach it there. */
export function ServerSection({ view }: { readonly view: SettingsView }) {
  const section = useSection({ name: 'address', schema: Address, view, toDraft, toInput })
  const { draft, change, issues } = section
  const hostIssue = sentence(text.address, issues.get('host'))
  const open = draft.reach === 'network' || (draft.reach === 'one' && !isLoopback(draft.host))
  return (
    <SectionForm title={text.server} {...section}>
      <Radio.Group
        label={text.reach}
        value={draft.reach}
        onChange={(value) => change({ reach: readReach(value) })}
        error={draft.reach === 'one' ? undefined : hostIssue}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="machine" label={text.reachMachine} description={text.reachMachineHint} />
          <Radio value="network" label={text.reachNetwork} description={text.reachNetworkHint} />
          <Radio value="one" label={text.reachOne} description={text.reachOneHint} />
        </Stack>
      </Radio.Group>
      {draft.reach === 'one' && (
        <TextField
          label={text.address}
          placeholder="192.168.1.20"
          maw={420}
          value={draft.host}
          error={hostIssue}
          onChange={(typed) => change({ host: typed })}
        />
      )}
      {open && (
        <Notice icon={IconNetwork} color="gray">
          {text.open} {view.settings.security.tls === null && text.openWithoutTls}
        </Notice>
      )}
      <NumberField
        label={text.port}
        description={text.portHint}
        value={draft.port}
        issue={issues.get('port')}
        onChange={(port) => change({ port })}
      />
    </SectionForm>
  )
}

function readReach(value: string): Reach {
  return value === 'network' || value === 'one' ? value : 'machine'
}

function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|::1|localhost)$/.test(host.trim())
}
