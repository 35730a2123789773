//! The workers: they claim tasks, run conversions and record outcomes, while a heartbeat renews the lease.

mod attempt;
mod completion;
mod conversion;
pub mod garbage_collector;
mod heartbeat;
mod worker_loop;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::task::JoinSet;

use crate::app::App;
use crate::lanes::Lane;
use crate::process_name::process_name;

/// How often an idle worker checks the queue: nothing notifies it of tasks whose retry delay or lease has expired.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Which tasks a worker runs.
#[derive(Debug, Clone)]
struct WorkerConfig {
    lane: Lane,
    /// It runs only short tasks.
    only_short: bool,
    /// Stored in the row of a claimed task.
    name: String,
}

/// Starts the workers of both lanes, one extra worker per lane for short tasks, and the garbage collector. They first return tasks of
/// an earlier process to the queue. They end when `app.stopping` is cancelled: running tasks may finish within
/// `config.stop_grace`, then return to the queue.
pub fn start(app: &Arc<App>) -> JoinSet<()> {
    let mut all = JoinSet::new();
    let process = process(app);
    let recovered = Arc::new(OnceCell::new());
    let lanes =
        [(Lane::Image, "image", app.config.image_workers), (Lane::Heavy, "heavy", app.config.heavy_workers)];
    for (lane, name, count) in lanes {
        let count = if app.config.role.works() { count } else { 0 };
        let mut configs: Vec<WorkerConfig> = (1..=count)
            .map(|number| WorkerConfig { lane, only_short: false, name: format!("{process}{name} {number}") })
            .collect();
        if count > 0 {
            configs.push(WorkerConfig { lane, only_short: true, name: format!("{process}{name} short") });
        }
        for worker in configs {
            all.spawn(worker_loop::run(Arc::clone(app), worker, Arc::clone(&recovered)));
        }
    }
    all.spawn(garbage_collector::run(Arc::clone(app)));
    all
}

/// What names this process among those that share a database; nothing if there are no others.
fn process(app: &App) -> String {
    if !app.store.is_shared() {
        return String::new();
    }
    format!("{} ", process_name())
}
