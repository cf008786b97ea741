// Made by `npm run generate` from the commands.

/** The commands of the top level, as the help of the program shows them: on each line a term, and after two spaces what it does. */
export const COMMAND_LIST = `serve [options]  Start the server
app  Create and list apps
channel  Create and list channels, and set their policies
key  Create, list and revoke API keys
person  Manage the people who can sign in to the console
webhook  Create, list, disable, delete and test webhooks
publish [options] <app> <channel> [version]  Publish a release, which cannot be edited afterwards
promote [options] <app> <channel> <version>  Publish a release of one channel on another, with the same notes and files
ramp [options] <app> <channel> <version> <pct>  Change the rollout of a release, which can only grow once it was offered
pause [options] <app> <channel> <version>  Pause a release, so that no other device is offered it
resume [options] <app> <channel> <version>  Continue a paused release
rollback [options] <app> <channel> <version>  Withdraw a release permanently
retarget [options] <app> <channel> <version>  Change the targets of a release, which can only broaden once it was offered
wait [options] <app> <channel> <version>  Wait until a share of the devices on the channel runs a release
release  List, check and prove releases, and plan their rollouts
preflight [options] <app> <channel> <version>  Check that the devices of a channel can install a release or draft before it is offered
file  Manage the built files that the server stores
draft  Put a release together from several build jobs, and publish it
device  Show, explain or forget a device
fleet  Show statistics about the devices of an app
backup [options] <file>  Back up the database to one file; the server can keep running
restore [options] <file>  Replace the database with a backup; stop the server first
doctor [options]  Check the database without changing it
status [options]  Show the state of the running server
support-bundle [options]  Collect versions, settings, state and log lines in a file for support
login [options] <url>  Sign in to a server in its browser console
logout [options] [url]  Sign out of a server and delete the saved session
whoami [options]  Show who commands act as
upgrade [options]  Copy the database (SQLite only) and migrate it to this version; stop the server first
move [options]  Copy everything from SQLite to an empty PostgreSQL database, or back
config  Show and check the settings of the server
mail  Mail for invitations, approvals and alarms
service  Run the server as a service of this computer`
