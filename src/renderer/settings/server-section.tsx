import { Alert, Radio, Stack, TextInput } from '@mantine/core'
import { IconNetwork } from '@tabler/icons-react'
import { Address, type ServerSettings } from '../../shared/console/settings.ts'
import type { ServerState } from '../../shared/console/shell.ts'
import { startFailureSentence } from '../../shared/wording/start-failure.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { NumberField } from './number-field.tsx'
import { sentence } from './read-section.ts'
import { SectionForm } from './section-form.tsx'
import { useSection } from './use-section.ts'

const REACH = { machine: '127.0.0.1', network: '0.0.0.0' } as const
type Reach = keyof typeof REACH | 'one'

interface Draft {
  readonly reach: Reach
  readonly host: string
  readonly port: number | string
}

const toDraft = ({ host, port }: Address): Draft => {
  const reach =
    host === REACH.machine ? 'machine' : host === REACH.network ? 'network' : ('one' as const)
  return { reach, host: reach === 'one' ? host : '', port }
}
const toInput = ({ reach, host, port }: Draft) => ({
  host: reach === 'one' ? host : REACH[reach],
  port,
})

/** Where the server listens, and who can reach it there. */
export function ServerSection({ settings }: { readonly settings: ServerSettings }) {
  const { address: saved, security } = settings
  const section = useSection({ name: 'address', schema: Address, saved, toDraft, toInput })
  const { draft, change, issues, unsaved } = section
  const failed = startIssue(useServerState(), unsaved)
  const open = draft.reach === 'network' || (draft.reach === 'one' && !isLoopback(draft.host))
  return (
    <SectionForm
      title="Server"
      {...section}
      onSubmit={(form) => void section.submit(form)}
      onDiscard={section.discard}
    >
      <Radio.Group
        label="Who can reach the server"
        value={draft.reach}
        onChange={(value) => change({ reach: readReach(value) })}
        error={draft.reach === 'one' ? undefined : failed?.host}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="machine"
            label="This machine only"
            description="Programs on this machine. Nothing is open to the network."
          />
          <Radio
            value="network"
            label="Everyone on the network"
            description="Listens on every address of this machine (0.0.0.0)."
          />
          <Radio
            value="one"
            label="One address of this machine"
            description="Listens on that address alone."
          />
        </Stack>
      </Radio.Group>
      {draft.reach === 'one' && (
        <TextInput
          label="Address"
          placeholder="192.168.1.20"
          w={240}
          spellCheck={false}
          value={draft.host}
          error={sentence('Address', issues.get('host')) ?? failed?.host}
          onChange={(event) => change({ host: event.currentTarget.value })}
        />
      )}
      {open && (
        <Alert variant="light" color="gray" icon={<IconNetwork aria-hidden="true" />}>
          Anyone on the network can ask for updates and read the release feed. API keys guard the
          rest.{' '}
          {security.tls === null &&
            'Without TLS those keys cross the network in clear: set a certificate under Security.'}
        </Alert>
      )}
      <NumberField
        label="Port"
        description="0 takes any port that is free."
        value={draft.port}
        issue={issues.get('port') ?? failed?.port}
        onChange={(port) => change({ port })}
      />
    </SectionForm>
  )
}

/** What kept the server from starting, until the person changes something. */
function startIssue(state: ServerState, unsaved: boolean) {
  if (unsaved || state.state !== 'failed') return undefined
  switch (state.failure.code) {
    case 'port_in_use':
      return { port: 'is in use by another program' }
    case 'port_forbidden':
      return { port: 'is not permitted for this account. Choose a port above 1023.' }
    case 'unknown_address':
      return { host: startFailureSentence(state.failure) }
    default:
      return undefined
  }
}

function readReach(value: string): Reach {
  return value === 'network' || value === 'one' ? value : 'machine'
}

function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|::1|localhost)$/.test(host.trim())
}
