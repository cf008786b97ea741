import type { ServerSettings } from '../../shared/console/settings.ts'
import type { StartFailure } from '../../shared/start-failure.ts'
import { settingIssueText, tlsFailureText } from './issue-strings.ts'
import type { Issues } from './read-section.ts'

/** Returns which field of a section kept the server from starting, and how to fix it. */
export function startIssues(section: keyof ServerSettings, failure: StartFailure): Issues {
  switch (failure.code) {
    case 'port_in_use':
    case 'port_forbidden':
      return only(section === 'address', 'port', settingIssueText(failure))
    case 'unknown_address':
      return only(section === 'address', 'host', settingIssueText(failure))
    case 'tls':
      return only(section === 'security', 'tls.certFile', tlsFailureText(failure.detail))
    case 'storage':
    case 'several_databases':
    case 'ended':
    case 'other':
      return new Map()
    default:
      return failure satisfies never
  }
}

function only(isHere: boolean, path: string, issue: string): Issues {
  return isHere ? new Map([[path, issue]]) : new Map()
}
