//! Claims tasks, has them carried out, and writes down what came of it, while a heartbeat keeps the claim.

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
use crate::workload::Lane;

/// How long a worker rests where nothing wakes it: tasks come back from a pause, and leases run out, without a word.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// What a worker takes.
#[derive(Debug, Clone)]
struct WorkerConfig {
    lane: Lane,
    /// Long tasks are left to others.
    only_short: bool,
    /// For the row of a claimed task.
    name: String,
}

/// Starts the workers of both lanes, each with one more for short tasks alone, and the sweeper, which first take over what a process
/// that died has left. They end by
/// themselves when `app.stopping` is cancelled: what runs may finish within `config.stop_grace`, then goes back into the queue.
pub fn start(app: &Arc<App>) -> JoinSet<()> {
    let mut all = JoinSet::new();
    let recovered = Arc::new(OnceCell::new());
    let lanes =
        [(Lane::Image, "image", app.config.image_workers), (Lane::Heavy, "heavy", app.config.heavy_workers)];
    for (lane, name, count) in lanes {
        let mut configs: Vec<WorkerConfig> = (1..=count)
            .map(|number| WorkerConfig { lane, only_short: false, name: format!("{name} {number}") })
            .collect();
        if count > 0 {
            configs.push(WorkerConfig { lane, only_short: true, name: format!("{name} short") });
        }
        for worker in configs {
            all.spawn(worker_loop::run(Arc::clone(app), worker, Arc::clone(&recovered)));
        }
    }
    all.spawn(garbage_collector::run(Arc::clone(app)));
    all
}
