"""What every scenario needs: servers, peers, measured runs, a report."""
